import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** What a form asks for, one entry a field, in the server's order. */
export type FormField = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
} & (
  | {
      readonly kind: 'text';
      readonly format?: TextFormat;
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly initial?: string;
    }
  | {
      readonly kind: 'number';
      readonly integer: boolean;
      readonly minimum?: number;
      readonly maximum?: number;
      readonly initial?: number;
    }
  | { readonly kind: 'boolean'; readonly initial?: boolean }
  | { readonly kind: 'choice'; readonly options: readonly FormOption[]; readonly initial?: string }
  | {
      readonly kind: 'choices';
      readonly options: readonly FormOption[];
      readonly minItems?: number;
      readonly maxItems?: number;
      readonly initial?: readonly string[];
    }
);

export interface FormOption {
  readonly value: string;
  /** What the person reads. */
  readonly label: string;
}

const TEXT_FORMATS = ['email', 'uri', 'date', 'date-time'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** What is wrong with a field: a word for the window to put into the person's language. */
export type FormProblem =
  | 'required'
  | 'number'
  | 'integer'
  | 'tooSmall'
  | 'tooLarge'
  | 'tooShort'
  | 'tooLong'
  | 'option'
  | 'tooFew'
  | 'tooMany'
  | 'kind'
  | TextFormat;

/**
 * The fields of a form that a server asks for (MCP 2025-11-25, "Elicitation: Requested Schema"). What is not in that restricted
 * schema becomes a text field, so that nothing that is asked for is hidden.
 */
export function formFields(schema: JsonObject): FormField[] {
  const { properties } = schema;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).map(([name, property]) => {
    const about = isJsonObject(property) ? property : {};
    return {
      name,
      title: textOf(about['title']) ?? name,
      description: textOf(about['description']) ?? '',
      required: required.includes(name),
      ...kindOf(about),
    };
  });
}

type FieldKind<F = FormField> = F extends FormField ? Omit<F, 'name' | 'title' | 'description' | 'required'> : never;

function kindOf(about: JsonObject): FieldKind {
  const initial = about['default'];
  const options = optionsOf(about);
  if (options) return { kind: 'choice', options, ...given('initial', textOf(initial)) };
  switch (about['type']) {
    case 'boolean':
      return { kind: 'boolean', ...(typeof initial === 'boolean' && { initial }) };
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        integer: about['type'] === 'integer',
        ...given('minimum', numberOf(about['minimum'])),
        ...given('maximum', numberOf(about['maximum'])),
        ...given('initial', numberOf(initial)),
      };
    case 'array':
      return {
        kind: 'choices',
        options: (isJsonObject(about['items']) && optionsOf(about['items'])) || [],
        ...given('minItems', numberOf(about['minItems'])),
        ...given('maxItems', numberOf(about['maxItems'])),
        ...given('initial', Array.isArray(initial) ? initial.filter((item) => typeof item === 'string') : undefined),
      };
    default:
      return {
        kind: 'text',
        ...given(
          'format',
          TEXT_FORMATS.find((format) => format === about['format']),
        ),
        ...given('minLength', numberOf(about['minLength'])),
        ...given('maxLength', numberOf(about['maxLength'])),
        ...given('initial', textOf(initial)),
      };
  }
}

/** The four ways in which MCP has written a choice so far: plain and titled, the latter with `enumNames`, `oneOf` or `anyOf`. */
function optionsOf(about: JsonObject): FormOption[] | undefined {
  const titled = about['oneOf'] ?? about['anyOf'];
  if (Array.isArray(titled)) {
    const options = titled.flatMap((entry) => {
      const value = isJsonObject(entry) ? textOf(entry['const']) : undefined;
      return value === undefined || !isJsonObject(entry) ? [] : [{ value, label: textOf(entry['title']) ?? value }];
    });
    if (options.length > 0) return options;
  }
  const { enum: plain, enumNames: names } = about;
  if (!Array.isArray(plain)) return undefined;
  return plain
    .map(String)
    .map((value, index) => ({ value, label: (Array.isArray(names) && textOf(names[index])) || value }));
}

/** What was filled in, with the server's defaults for whatever was not (SEP-1034). */
export function withDefaults(fields: readonly FormField[], content: JsonObject): JsonObject {
  const defaults = fields.flatMap(({ name, initial }): [string, JsonValue][] =>
    initial === undefined || name in content ? [] : [[name, typeof initial === 'object' ? [...initial] : initial]],
  );
  return { ...content, ...Object.fromEntries(defaults) };
}

/** What is wrong with what was filled in, by field; empty when it may be sent. */
export function checkForm(fields: readonly FormField[], content: JsonObject): Record<string, FormProblem> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = content[field.name];
      const problem = value === undefined ? (field.required ? 'required' : undefined) : checkValue(field, value);
      return problem === undefined ? [] : [[field.name, problem]];
    }),
  );
}

function checkValue(field: FormField, value: JsonValue): FormProblem | undefined {
  switch (field.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'kind';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? checkNumber(field, value) : 'number';
    case 'choice':
      return field.options.some((option) => option.value === value) ? undefined : 'option';
    case 'choices':
      return Array.isArray(value) ? checkChoices(field, value) : 'kind';
    case 'text':
      return typeof value === 'string' ? checkText(field, value) : 'kind';
  }
}

function checkNumber(field: FormField & { kind: 'number' }, value: number): FormProblem | undefined {
  if (field.integer && !Number.isInteger(value)) return 'integer';
  if (field.minimum !== undefined && value < field.minimum) return 'tooSmall';
  if (field.maximum !== undefined && value > field.maximum) return 'tooLarge';
  return undefined;
}

function checkChoices(field: FormField & { kind: 'choices' }, value: readonly JsonValue[]): FormProblem | undefined {
  if (!value.every((item) => field.options.some((option) => option.value === item))) return 'option';
  if (field.minItems !== undefined && value.length < field.minItems) return 'tooFew';
  if (field.maxItems !== undefined && value.length > field.maxItems) return 'tooMany';
  return undefined;
}

function checkText(field: FormField & { kind: 'text' }, value: string): FormProblem | undefined {
  const length = [...value].length;
  if (field.required && length === 0) return 'required';
  if (field.minLength !== undefined && length < field.minLength) return 'tooShort';
  if (field.maxLength !== undefined && length > field.maxLength) return 'tooLong';
  return field.format === undefined || hasFormat[field.format](value) ? undefined : field.format;
}

const hasFormat: Record<TextFormat, (value: string) => boolean> = {
  email: (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  uri: (value) => /^[a-z][a-z\d+.-]*:\S+$/i.test(value),
  date: (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)),
  'date-time': (value) =>
    /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i.test(value) &&
    !Number.isNaN(Date.parse(value)),
};

const SECRET =
  /\b(pass ?(word|phrase|code)|secret|(api|access|private|secret|auth) ?key|(api|access|auth(entication)?|bearer|refresh|session) ?token|credentials?|(credit|debit) ?card|card ?number|cvv|cvc|one ?time ?(code|password)|otp|social ?security|seed ?phrase|recovery ?(code|phrase))\b/i;

/** The first field that asks for a secret, by its name, title or text. Those are never asked by form (MCP, "Elicitation"). */
export function secretField(fields: readonly FormField[]): string | undefined {
  return fields.find(({ name, title, description }) => [name, title, description].some((words) => isSecret(words)))
    ?.title;
}

function isSecret(words: string): boolean {
  // `apiKey`, `api_key` and `api-key` are all "api key".
  const spaced = words.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_\-\s]+/g, ' ');
  return SECRET.test(spaced) || /^(token|pin)$/i.test(spaced.trim());
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function given<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  const entry: { [P in K]?: T } = {};
  if (value !== undefined) entry[key] = value;
  return entry;
}
