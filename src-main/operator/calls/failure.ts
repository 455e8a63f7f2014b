import { CausewayError, describeError, type ErrorCode } from '../../../src-shared/index.ts';
import { errorName } from '../file-errors.ts';

/** What went wrong, in the words it is to be told in, as it travels back from where a call was done. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The system's name for it. */
  readonly system?: string | undefined;
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof CausewayError)) return { code: 'internal', message: describeError(error) };
  const { code, message, hint } = error;
  return { code, message, hint, system: errorName(error.cause) };
}

export function errorOf({ code, message, hint, system }: Failure): CausewayError {
  return new CausewayError(code, message, {
    ...(hint !== undefined && { hint }),
    ...(system !== undefined && { cause: Object.assign(new Error(system), { code: system }) }),
  });
}
