import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { isJsonObject, type JsonObject, type JsonSchema } from '../../src-shared/index.ts';

export type ParsedArguments = { ok: true; input: JsonObject } | { ok: false; problem: string };

/** Characters of the arguments that are shown around the place where they break. */
const EXCERPT = 40;

/**
 * The arguments of a tool call as an object. Harmless slips are mended: nothing at all, JSON inside a JSON string, trailing
 * commas, raw line breaks inside strings, and objects or lists given as strings where `schema` wants them. Arguments that
 * were cut off are never completed by guessing (half a file must not be written): the problem names the position.
 */
export function parseArguments(text: string, schema?: JsonSchema): ParsedArguments {
  if (text.trim() === '') return { ok: true, input: {} };
  let value = parseJson(text);
  if (!value.ok) return { ok: false, problem: value.problem };
  if (typeof value.value === 'string') {
    const inner = parseJson(value.value);
    if (inner.ok) value = inner;
  }
  if (!isJsonObject(value.value)) {
    return { ok: false, problem: `The arguments must be one JSON object, but they are ${kindOf(value.value)}.` };
  }
  return { ok: true, input: decodeNested(value.value, schema) };
}

type Parsed = { ok: true; value: unknown } | { ok: false; problem: string };

function parseJson(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    // Not strict JSON: see whether it is one of the slips that can be mended without guessing.
  }
  const escaped = escapeControlCharacters(text);
  const errors: ParseError[] = [];
  const value: unknown = parse(escaped, errors, { allowTrailingComma: true, disallowComments: true });
  const [first] = errors;
  if (!first) return { ok: true, value };
  // Escaping moved what comes after it, so the position is looked up in the text as the model wrote it.
  const original: ParseError[] = [];
  parse(text, original, { allowTrailingComma: true, disallowComments: true });
  return { ok: false, problem: describe(text, original[0] ?? first) };
}

function describe(text: string, error: ParseError): string {
  const end = text.trimEnd().length;
  const near = text.slice(Math.max(0, error.offset - EXCERPT), error.offset + EXCERPT);
  const where = `character ${error.offset + 1} of ${text.length}`;
  if (error.offset + error.length >= end) {
    return `The arguments are cut off: the JSON is not complete at its end (${where}), near ${JSON.stringify(near)}.`;
  }
  return `The arguments are not valid JSON: ${words(printParseErrorCode(error.error))} at ${where}, near ${JSON.stringify(near)}.`;
}

/** "CommaExpected" as "comma expected". */
function words(code: string): string {
  return code.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

/** Line breaks and tabs that stand raw inside strings, written as JSON wants them. */
function escapeControlCharacters(text: string): string {
  let inString = false;
  let result = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (inString && character === '\\') {
      result += character + text.charAt(index + 1);
      index += 1;
      continue;
    }
    if (character === '"') inString = !inString;
    result += inString && character < ' ' ? JSON.stringify(character).slice(1, -1) : character;
  }
  return result;
}

/** Decodes top-level properties that the schema wants as object or list and that came as a JSON string of one. */
function decodeNested(input: JsonObject, schema: JsonSchema | undefined): JsonObject {
  const properties = schema?.properties;
  if (!isJsonObject(properties)) return input;
  const decoded: JsonObject = {};
  for (const [key, value] of Object.entries(input)) {
    const wanted = properties[key];
    const type = isJsonObject(wanted) ? wanted.type : undefined;
    decoded[key] = value;
    if (typeof value !== 'string' || (type !== 'object' && type !== 'array')) continue;
    const inner = parseJson(value);
    if (!inner.ok) continue;
    if (type === 'object' && isJsonObject(inner.value)) decoded[key] = inner.value;
    if (type === 'array' && Array.isArray(inner.value)) decoded[key] = inner.value;
  }
  return decoded;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return `a ${typeof value}`;
}
