import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from '../../../src-shared/index.ts';

/**
 * Parameters of a tool that go into HTTP headers as well, for proxies that route by them (2026-07-28, `x-mcp-header`): where each
 * is in the input, and its header's name.
 */
export interface HeaderParameter {
  path: readonly string[];
  header: string;
}

/** Keywords below which a value is not always at the same place of an input. */
const ELSEWHERE = new Set([
  ...['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['propertyNames', 'patternProperties', 'dependentSchemas', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'],
  ...['$defs', 'definitions'],
]);
const KEYWORD = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const PRIMITIVE = ['string', 'integer', 'boolean'];

/**
 * The parameters of a schema that are to be headers.
 * @throws TypeError saying why the tool must not be used, when the schema breaks the protocol's rules for them.
 */
export function headerParameters(schema: JsonSchema): HeaderParameter[] {
  const found: HeaderParameter[] = [];
  visit(schema, [], true, found);
  const names = found.map(({ header }) => header.toLowerCase());
  const twice = found.find(({ header }, index) => names.indexOf(header.toLowerCase()) < index);
  if (twice) throw new TypeError(`two of its parameters want the header "${twice.header}"`);
  return found;
}

function visit(
  node: JsonValue | undefined,
  path: readonly string[],
  reachable: boolean,
  found: HeaderParameter[],
): void {
  if (Array.isArray(node)) for (const entry of node) visit(entry, path, false, found);
  if (!isJsonObject(node)) return;
  if (KEYWORD in node) found.push({ path, header: readHeader(node, path, reachable) });
  const { properties } = node;
  if (isJsonObject(properties)) {
    for (const [name, property] of Object.entries(properties)) visit(property, [...path, name], reachable, found);
  }
  for (const [keyword, value] of Object.entries(node)) {
    if (!ELSEWHERE.has(keyword)) continue;
    // A map of schemas is not a schema, but to look at its values as such does no harm.
    visit(value, path, false, found);
    if (isJsonObject(value)) for (const entry of Object.values(value)) visit(entry, path, false, found);
  }
}

function readHeader(node: JsonObject, path: readonly string[], reachable: boolean): string {
  const header = node[KEYWORD];
  const name = path.join('.') || 'its input';
  if (!reachable || path.length === 0) throw new TypeError(`${name} can not be a header: it has no fixed place`);
  if (typeof header !== 'string' || !TOKEN.test(header)) throw new TypeError(`${name} has no valid header name`);
  if (typeof node['type'] !== 'string' || !PRIMITIVE.includes(node['type'])) {
    throw new TypeError(`${name} can not be a header: it is not a text, a whole number or a boolean`);
  }
  return header;
}

/** The headers of a call. A parameter that is not given has none. */
export function parameterHeaders(parameters: readonly HeaderParameter[], input: JsonObject): Record<string, string> {
  return Object.fromEntries(
    parameters.flatMap(({ path, header }) => {
      const value = path.reduce<JsonValue | undefined>((at, key) => (isJsonObject(at) ? at[key] : undefined), input);
      if (typeof value !== 'string' && typeof value !== 'boolean' && !Number.isSafeInteger(value)) return [];
      return [[`Mcp-Param-${header}`, encode(String(value))]];
    }),
  );
}

/** As it is where a header can carry it; else in base64, marked so. What looks like that mark is encoded as well. */
function encode(value: string): string {
  const plain = /^[\x21-\x7E]([\x20-\x7E\t]*[\x21-\x7E])?$/.test(value) && !/^=\?base64\?.*\?=$/i.test(value);
  return plain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}
