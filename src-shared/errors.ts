/** What kind of thing went wrong; stable, for programs. The sentence beside it is for people. */
export type ErrorCode =
  | 'bad_input'
  | 'not_found'
  | 'conflict'
  | 'refused'
  | 'unavailable'
  | 'timeout'
  | 'cancelled'
  | 'io'
  | 'protocol'
  | 'internal';

/**
 * The base of every error that Causeway raises on purpose.
 * `message` says what happened and why in one sentence; `hint` says what to do next.
 */
export class CausewayError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CausewayError';
    this.code = code;
    this.hint = options.hint;
  }
}

/** Any thrown value as one plain sentence, with the hint when there is one. */
export function describeError(error: unknown): string {
  if (error instanceof CausewayError) return error.hint ? `${error.message} ${error.hint}` : error.message;
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}
