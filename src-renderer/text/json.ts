import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/index.ts';

/** Text as a JSON object or list, when it is one; a bare word or number is better shown as text. */
export function readJson(text: string): JsonValue | undefined {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return undefined;
  try {
    const value: JsonValue = JSON.parse(trimmed);
    return value;
  } catch {
    return undefined;
  }
}

/** What a person typed as a JSON object. @throws SyntaxError with the parser's words. */
export function readJsonObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text === '' ? '{}' : text);
  if (!isJsonObject(value)) throw new SyntaxError('{ … } expected');
  return value;
}

/** JSON as people write it. */
export function pretty(value: JsonValue): string {
  return JSON.stringify(value, null, 2);
}
