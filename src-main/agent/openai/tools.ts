import {
  isJsonObject,
  type FunctionTool,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from '../../../src-shared/index.ts';

/** OpenAI's own endpoints refuse a longer description of a function, and with it the whole request. */
const LONGEST_DESCRIPTION = 1_024;
/** A longer schema costs more of the model's window than a tool is worth, in characters. */
const LONGEST_SCHEMA = 60_000;
const DEEPEST = 60;
const UNIONS = ['anyOf', 'oneOf', 'allOf'] as const;
/** Schemas of which every value is one, in their place. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const SINGLE = new Set(['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']);

/** Tools keep their schema object until their server lists them anew. */
const adapted = new WeakMap<JsonSchema, JsonSchema>();

/**
 * A tool as endpoints take it. They refuse a request as a whole for one schema that they do not like, so that one odd tool of one server
 * would end every run. The original is left as it is: inputs are checked against that one.
 */
export function toApiTool(tool: FunctionTool, { openAI }: { openAI: boolean }): FunctionTool {
  const { name, description, parameters } = tool.function;
  const kept = adapted.get(parameters) ?? adaptSchema(parameters);
  adapted.set(parameters, kept);
  return {
    type: 'function',
    function: { name, description: openAI ? cut(description, LONGEST_DESCRIPTION) : description, parameters: kept },
  };
}

/** Exported for its tests. */
export function adaptSchema(schema: JsonSchema): JsonSchema {
  const whole = asObject(mend(schema, { root: schema, depth: 0, withTexts: true }));
  if (lengthOf(whole) <= LONGEST_SCHEMA) return whole;
  const bare = asObject(mend(schema, { root: schema, depth: 0, withTexts: false }));
  return lengthOf(bare) <= LONGEST_SCHEMA ? bare : { type: 'object', properties: {}, additionalProperties: true };
}

interface Place {
  root: JsonSchema;
  depth: number;
  /** With descriptions, examples and the like. */
  withTexts: boolean;
}

function mend(value: JsonValue | undefined, place: Place): JsonValue {
  if (typeof value === 'boolean') return value ? {} : { not: {} };
  if (!isJsonObject(value) || place.depth > DEEPEST) return {};
  const inner = { ...place, depth: place.depth + 1 };
  const kept: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const mended = mendKey(key, item, inner);
    if (mended !== undefined) kept[key] = mended;
  }
  // An endpoint that wants to know what a list holds is content with "anything".
  if (kept['type'] === 'array' && kept['items'] === undefined) kept['items'] = {};
  return kept;
}

/** Undefined leaves the key out. */
function mendKey(key: string, value: JsonValue, place: Place): JsonValue | undefined {
  if (MAPS.has(key)) {
    if (!isJsonObject(value)) return undefined;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mend(item, place)]));
  }
  if (SINGLE.has(key)) {
    if (key === 'additionalProperties' && typeof value === 'boolean') return value;
    return Array.isArray(value) ? mend(value[0], place) : mend(value, place);
  }
  if (key === 'anyOf' || key === 'oneOf' || key === 'allOf' || key === 'prefixItems') {
    return Array.isArray(value) && value.length > 0 ? value.map((item) => mend(item, place)) : undefined;
  }
  switch (key) {
    case '$schema':
    case '$id':
    case '$comment':
      return undefined;
    case 'type':
      return isType(value) ? value : undefined;
    case 'required':
      return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined;
    case 'enum':
      return Array.isArray(value) && value.length > 0 ? value : undefined;
    case 'pattern':
      return typeof value === 'string' && isPattern(value) ? value : undefined;
    case '$ref':
      return typeof value === 'string' && leadsSomewhere(value, place.root) ? value : undefined;
    case 'description':
    case 'title':
      return place.withTexts && typeof value === 'string' ? value : undefined;
    case 'examples':
    case 'default':
      return place.withTexts ? value : undefined;
    default:
      return value;
  }
}

/** Endpoints want an object with properties at the top, and no choice between several. */
function asObject(schema: JsonValue): JsonSchema {
  if (!isJsonObject(schema)) return { type: 'object', properties: {} };
  const { anyOf, oneOf, allOf, not: _not, enum: _enum, ...top } = schema;
  const branches = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
  if (top['type'] !== undefined && top['type'] !== 'object') return { type: 'object', properties: {} };
  const properties = Object.fromEntries([...branches, top].flatMap((part) => Object.entries(propertiesOf(part))));
  const always = [top, ...(Array.isArray(allOf) ? allOf.filter(isJsonObject) : [])].flatMap((part) => requiredOf(part));
  const choices = UNIONS.slice(0, 2).flatMap((key) => {
    const list = schema[key];
    return Array.isArray(list) ? [inEach(list.filter(isJsonObject).map((branch) => requiredOf(branch)))] : [];
  });
  const required = [...new Set([...always, ...choices.flat()])].filter((name) => Object.hasOwn(properties, name));
  const { required: _required, ...rest } = top;
  return { ...rest, type: 'object', properties, ...(required.length > 0 && { required }) };
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema['properties']) ? schema['properties'] : {};
}

function requiredOf(schema: JsonObject): string[] {
  return Array.isArray(schema['required']) ? schema['required'].filter((name) => typeof name === 'string') : [];
}

function inEach(lists: readonly string[][]): string[] {
  return lists[0]?.filter((name) => lists.every((list) => list.includes(name))) ?? [];
}

function isType(value: JsonValue): boolean {
  const known = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
  const types = Array.isArray(value) ? value : [value];
  return types.length > 0 && types.every((type) => typeof type === 'string' && known.includes(type));
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Only what is in the schema itself can be meant: nothing is fetched. */
function leadsSomewhere(reference: string, root: JsonSchema): boolean {
  if (reference === '#') return true;
  if (!reference.startsWith('#/')) return false;
  let at: JsonValue | undefined = root;
  for (const step of reference.slice(2).split('/')) {
    const key = decode(step).replaceAll('~1', '/').replaceAll('~0', '~');
    at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at !== undefined;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function lengthOf(schema: JsonSchema): number {
  return JSON.stringify(schema).length;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 3)}...` : text;
}
