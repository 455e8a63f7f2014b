import type { z } from 'zod';

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

/** More than this many complaints help nobody. */
const MAX_ISSUES = 5;

/** What zod did not like, as one plain sentence part that names each field: `"approvals.mode": expected one of ...`. */
export function describeIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => (path.length > 0 ? `"${path.map(String).join('.')}": ${message}` : message))
    .join('; ');
}

/** Any thrown value as one plain sentence, with the hint when there is one. */
export function describeError(error: unknown): string {
  if (error instanceof CausewayError) return error.hint ? `${error.message} ${error.hint}` : error.message;
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}
