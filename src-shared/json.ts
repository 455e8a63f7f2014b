/** Any value that JSON can carry. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object: what tools take as input and give as structured content. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** A JSON Schema as its author wrote it. Causeway carries schemas unchanged and never rewrites them in place. */
export type JsonSchema = { [keyword: string]: JsonValue };

/** True for a plain JSON object (not null, not an array). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
