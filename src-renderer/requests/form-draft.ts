import type { FormField, JsonObject, JsonValue } from '../../src-shared/index.ts';

/** What is in each field: text as typed, or what is chosen. A field that nobody has touched and that has no default is not there. */
export type FormDraft = Readonly<Record<string, string | boolean | readonly string[]>>;

/** What a form starts with: the server's defaults. */
export function startDraft(fields: readonly FormField[]): FormDraft {
  return Object.fromEntries(
    fields.flatMap((field) => (field.initial === undefined ? [] : [[field.name, shown(field, field.initial)]])),
  );
}

/** The draft as the content of an answer. Empty fields are left out. */
export function readDraft(fields: readonly FormField[], draft: FormDraft): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = draft[field.name];
      if (value === undefined || value === '') return [];
      return [[field.name, readField(field, value)]];
    }),
  );
}

function shown(field: FormField, initial: NonNullable<FormField['initial']>): FormDraft[string] {
  if (typeof initial === 'number') return String(initial);
  return field.kind === 'text' && field.format === 'date-time' && typeof initial === 'string'
    ? localTime(initial)
    : initial;
}

function readField(field: FormField, value: FormDraft[string]): JsonValue {
  if (typeof value === 'object') return [...value];
  if (typeof value === 'boolean') return value;
  // What is no number stays a text, so that it is found to be wrong and not silently changed.
  if (field.kind === 'number') return Number.isNaN(Number(value)) ? value : Number(value);
  if (field.kind === 'text' && field.format === 'date-time') return withZone(value);
  return value;
}

/** As the browser's field for a local time wants it. */
function localTime(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return text;
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** As the schema wants it: the same moment, with its zone. */
function withZone(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? local : time.toISOString();
}
