import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import AjvDraft4 from 'ajv-draft-04';
import formats from 'ajv-formats';
import { CausewayError, isJsonObject, type JsonObject, type JsonSchema } from '../../src-shared/index.ts';
import { matchWithin } from './timed-match.ts';

/** Checks tool input against JSON Schema of any draft that servers use. */
export interface InputCheck {
  /** @throws CausewayError `bad_input` naming the field and what was expected. Input is never changed: no coercion, no defaults. */
  check(schema: JsonSchema, input: unknown): JsonObject;
}

/** A pattern of a server's schema may take this long on one text, in milliseconds. */
const PATTERN_MS = 200;

/** A schema holds a pattern that takes for ever on some text. */
class SlowPattern extends Error {}

/** Patterns come from anybody's server: they are interrupted, and are otherwise JavaScript's own. */
const interruptible = Object.assign(
  (pattern: string, flags: string) => {
    const expression = new RegExp(pattern, flags);
    return {
      test(text: string): boolean {
        const [found] = matchWithin(expression, [text], PATTERN_MS) ?? [];
        if (found === undefined) throw new SlowPattern();
        return found;
      },
      // Ajv tells patterns apart by this.
      toString: () => String(expression),
    };
  },
  // For code that is kept as a file, which none of ours is; "new RegExp" would mean JavaScript's own.
  { code: 'interruptible' },
);

const OPTIONS = {
  strict: false,
  allErrors: true,
  validateFormats: true,
  addUsedSchema: false,
  verbose: true,
  code: { regExp: interruptible },
} as const;
/** More than this many complaints help nobody. */
const MAX_COMPLAINTS = 5;
const LONG_PATTERN = 80;
const LONG_DESCRIPTION = 300;

/** Compiled schemas are kept for as long as their schema object lives. */
export function createInputCheck(): InputCheck {
  const draft2020 = prepared(new Ajv2020(OPTIONS));
  const draft7 = prepared(new Ajv(OPTIONS));
  const draft4 = prepared(new AjvDraft4(OPTIONS));
  const compiled = new WeakMap<JsonSchema, ValidateFunction | 'unusable'>();

  function validatorFor(schema: JsonSchema): ValidateFunction | 'unusable' {
    const known = compiled.get(schema);
    if (known) return known;
    const validator = compile(schema);
    compiled.set(schema, validator);
    return validator;
  }

  function compile(schema: JsonSchema): ValidateFunction | 'unusable' {
    const dialect = typeof schema['$schema'] === 'string' ? schema['$schema'] : '';
    const ajv = dialect.includes('draft-04') ? draft4 : /draft-0[67]/.test(dialect) ? draft7 : draft2020;
    try {
      // A copy without $id: two servers may use the same one for different schemas.
      const { $id: _id, $schema: _dialect, ...anonymous } = schema;
      return ajv.compile(anonymous satisfies AnySchemaObject);
    } catch {
      // A server's broken schema must not take its tool down: the server checks its own input.
      return 'unusable';
    }
  }

  function fits(schema: JsonSchema, validate: ValidateFunction, input: JsonObject): boolean {
    try {
      return validate(input);
    } catch (error) {
      if (!(error instanceof SlowPattern)) throw error;
      compiled.set(schema, 'unusable');
      return true;
    }
  }

  return {
    check(schema, input) {
      if (!isJsonObject(input)) throw new CausewayError('bad_input', 'The input must be a JSON object.');
      const validate = validatorFor(schema);
      if (validate === 'unusable' || fits(schema, validate, input)) return input;
      const faults = (validate.errors ?? []).filter((error) => !hasDefault(error));
      if (faults.length === 0) return input;
      const complaints = faults.map(complaint);
      const shown = [...new Set(complaints)].slice(0, MAX_COMPLAINTS);
      throw new CausewayError('bad_input', `The input does not fit the tool's schema: ${shown.join('; ')}.`);
    },
  };
}

function prepared<T extends Ajv>(ajv: T): T {
  formats.default(ajv);
  return ajv;
}

/**
 * A field that is missing but has a default is left to the tool, which fills it in: generators of schemas list such fields
 * as required (Playwright's server does), and models leave them out.
 */
function hasDefault({ keyword, params, parentSchema }: ErrorObject): boolean {
  if (keyword !== 'required' || !isJsonObject(parentSchema) || !isJsonObject(parentSchema['properties'])) return false;
  const field = parentSchema['properties'][String(params['missingProperty'])];
  return isJsonObject(field) && field['default'] !== undefined;
}

function complaint(error: ErrorObject): string {
  const field = error.instancePath.split('/').slice(1).map(unescapePointer).join('.');
  const params: Record<string, unknown> = error.params;
  switch (error.keyword) {
    case 'required':
      return `"${join(field, String(params['missingProperty']))}" is missing`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `"${join(field, String(params['additionalProperty'] ?? params['unevaluatedProperty']))}" is not a field of this tool`;
    case 'enum':
      return `"${field}" must be one of ${JSON.stringify(params['allowedValues'])}`;
    case 'pattern':
      return `"${field || 'input'}" ${patternComplaint(error)}`;
    default:
      return `"${field || 'input'}" ${error.message ?? 'is wrong'}`;
  }
}

/** A long pattern tells nobody anything: then what the schema says of the field in words. */
function patternComplaint({ message, parentSchema }: ErrorObject): string {
  if (!isJsonObject(parentSchema)) return message ?? 'is wrong';
  const { pattern, description } = parentSchema;
  const isLong = typeof pattern === 'string' && pattern.length > LONG_PATTERN;
  if (!isLong) return message ?? 'is wrong';
  const words = typeof description === 'string' ? `: ${description.replace(/\.$/, '').slice(0, LONG_DESCRIPTION)}` : '';
  return `does not have the form that is wanted${words}`;
}

function join(parent: string, field: string): string {
  return parent ? `${parent}.${field}` : field;
}

/** RFC 6901. */
function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
