import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from '../../src-shared/index.ts';

export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'json';

/** One input of a form. */
export interface Field {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  readonly kind: FieldKind;
  readonly options: readonly string[];
  /** What the form starts with. */
  readonly initial: string;
}

/** What is typed in each field; booleans are "true", "false" or "" for not given. */
export type Draft = Readonly<Record<string, string>>;
export type FieldProblem = 'required' | 'number' | 'json';
export type FormOutcome =
  | { readonly ok: true; readonly input: JsonObject }
  | { readonly ok: false; readonly problems: Readonly<Record<string, FieldProblem>> };

/** The fields of a tool's input schema. What a field cannot show (nested objects, unions) becomes a JSON field. */
export function schemaFields(schema: JsonSchema): Field[] {
  const properties = schema['properties'];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).map(([name, property]) => {
    const about = isJsonObject(property) ? property : {};
    const kind = fieldKind(about);
    return {
      name,
      title: typeof about['title'] === 'string' ? about['title'] : name,
      description: typeof about['description'] === 'string' ? about['description'] : '',
      required: required.includes(name),
      kind,
      options: kind === 'choice' ? optionsOf(about) : [],
      initial: initialOf(about['default'], kind),
    };
  });
}

/** The draft as a tool's input. Empty fields that are not required are left out, so that the tool's defaults hold. */
export function draftToInput(fields: readonly Field[], draft: Draft): FormOutcome {
  const input: JsonObject = {};
  const problems: Record<string, FieldProblem> = {};
  for (const field of fields) {
    const typed = draft[field.name] ?? '';
    if (typed === '') {
      if (field.required) problems[field.name] = 'required';
      continue;
    }
    const value = readValue(field.kind, typed);
    if (value === undefined) problems[field.name] = field.kind === 'number' ? 'number' : 'json';
    else input[field.name] = value;
  }
  return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, input };
}

/** The draft that shows an input: the way back from raw JSON to the form. */
export function inputToDraft(fields: readonly Field[], input: JsonObject): Draft {
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      const value = input[name];
      return [name, value === undefined ? '' : showValue(kind, value)];
    }),
  );
}

function fieldKind(about: JsonObject): FieldKind {
  if (optionsOf(about).length > 0) return 'choice';
  const type = Array.isArray(about['type']) ? about['type'].find((entry) => entry !== 'null') : about['type'];
  switch (type) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return isJsonObject(about['items']) && about['items']['type'] === 'string' ? 'list' : 'json';
    default:
      return 'json';
  }
}

function optionsOf(about: JsonObject): string[] {
  const choices = about['enum'];
  return Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : [];
}

function initialOf(value: JsonValue | undefined, kind: FieldKind): string {
  return value === undefined || value === null ? '' : showValue(kind, value);
}

function showValue(kind: FieldKind, value: JsonValue): string {
  if (kind === 'list' && Array.isArray(value)) return value.map(String).join('\n');
  if (kind === 'json' || typeof value === 'object') return JSON.stringify(value, null, 2);
  return String(value);
}

function readValue(kind: FieldKind, typed: string): JsonValue | undefined {
  switch (kind) {
    case 'number':
      return typed.trim() === '' || !Number.isFinite(Number(typed)) ? undefined : Number(typed);
    case 'boolean':
      return typed === 'true';
    case 'list':
      return typed.split('\n').filter((line) => line !== '');
    case 'json':
      return parseJson(typed);
    default:
      return typed;
  }
}

function parseJson(typed: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(typed);
    return value;
  } catch {
    return undefined;
  }
}
