import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { describeError, type JsonSchema } from '../../../src-shared/index.ts';

type Check = (value: unknown) => { valid: boolean; errorMessage: string | undefined };

/** Characters of what is wrong that are told. */
const TOLD_LENGTH = 500;

const validator = new AjvJsonSchemaValidator();
/** By schema, as long as its tool is there: a schema is read once. */
const checks = new WeakMap<JsonSchema, Check>();

/**
 * Why a result is not what its tool's output schema promises, in a sentence; undefined when it fits, or nothing was promised.
 * A failed call promises nothing.
 */
export function describeMisfit(
  schema: JsonSchema | undefined,
  result: { structuredContent?: unknown; isError?: boolean | null | undefined },
): string | undefined {
  if (!schema || result.isError === true) return undefined;
  if (result.structuredContent === undefined) {
    return 'The tool promises structured content by its output schema, and gave none.';
  }
  try {
    const { valid, errorMessage = '' } = checkOf(schema)(result.structuredContent);
    return valid
      ? undefined
      : `The structured content does not fit the tool's output schema: ${errorMessage.slice(0, TOLD_LENGTH)}`;
  } catch (error) {
    return `The structured content could not be checked, because the tool's output schema is broken: ${describeError(error).slice(0, TOLD_LENGTH)}`;
  }
}

function checkOf(schema: JsonSchema): Check {
  const known = checks.get(schema);
  if (known) return known;
  const check = validator.getValidator(schema);
  checks.set(schema, check);
  return check;
}
