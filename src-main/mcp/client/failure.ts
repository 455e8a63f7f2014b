import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, SseError } from '@modelcontextprotocol/client';
import { CausewayError, describeError } from '../../../src-shared/index.ts';
import { OWN_WORDS, type ProcessExit } from './stdio-transport.ts';

/** Lines of stderr, and characters of each, that a message for people quotes. */
const QUOTED_LINES = 3;
const QUOTED_LENGTH = 300;
/** Characters of a command line in a message; the card shows it whole. */
const TARGET_LENGTH = 120;

/** What last words of a server mean, and what to do about them. The first that fits counts. */
const LIKELY_FIXES: readonly { sign: RegExp; fix: string }[] = [
  {
    sign: /E404|404 Not Found.*(npm|registry)|No matching distribution|not found in the package registry/i,
    fix: 'No such package: check its name in "args".',
  },
  {
    sign: /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|network is unreachable|Temporary failure in name resolution/i,
    fix: 'Something could not be reached: check the network, the proxy and the addresses in its settings.',
  },
  {
    sign: /Cannot find module|MODULE_NOT_FOUND|ERR_MODULE_NOT_FOUND/i,
    fix: 'A file it needs is missing: check the path in "args", or install or build the server.',
  },
  {
    sign: /No module named|ModuleNotFoundError/i,
    fix: 'A Python package is missing: install it for this interpreter, or run the server with uvx.',
  },
  { sign: /EADDRINUSE|address already in use/i, fix: 'Its port is taken: end the other program, or set another port.' },
  {
    sign: /(api[ _-]?key|token|credential|secret|password)\b.{0,60}\b(required|missing|not set|not provided|must be|invalid)/is,
    fix: 'It wants a key: add it under "env" in the config file.',
  },
  {
    sign: /(required|missing|not set|please set|must set).{0,60}\b(api[ _-]?key|token|environment variable)/is,
    fix: 'It wants a key: add it under "env" in the config file.',
  },
  {
    sign: /Unsupported engine|requires? Node(\.js)? |Unexpected token '\?|SyntaxError: .*import/i,
    fix: 'It may need a newer Node.js.',
  },
  { sign: /EACCES|EPERM|Permission denied/i, fix: 'It may not read or write something: check permissions.' },
  {
    sign: /usage:|unknown (option|argument|command)|unrecognized arguments?/i,
    fix: 'It does not understand its arguments: check "args".',
  },
];

/** The HTTP status that an error of the SDK carries. */
export function httpStatus(error: unknown): number | undefined {
  if (error instanceof SseError) return error.code;
  return error instanceof SdkHttpError ? error.data.status : undefined;
}

/** True when nothing was answered at all: the network, or nobody there. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed)
    return error.cause instanceof TypeError;
  return error instanceof TypeError || (error instanceof SseError && error.code === undefined);
}

/**
 * Why a server did not come up or is gone, in a few sentences: what was run, how it ended, its last words, and at the end the likely
 * fix, which is never cut.
 */
export function explainServer(facts: {
  /** Command line or URL, secrets masked. */
  target: string;
  exit: ProcessExit | undefined;
  error: unknown;
  stderr: readonly string[];
  /** What becomes of it now. */
  next?: string | undefined;
}): string {
  const { exit, error, stderr, next } = facts;
  const target = cutMiddle(facts.target, TARGET_LENGTH);
  const { what, fix } = exit ? { what: undefined } : explainError(error);
  const last = stderr.filter((line) => line.trim() !== '').slice(-QUOTED_LINES);
  const sentences = [
    what === undefined ? `"${target}" ended${describeExit(exit)}.` : `"${target}": ${what}`,
    last.length > 0 && `Its last output: ${last.map(oneLine).join(' / ')}`,
    next,
    // What it said itself tells more than how it ended.
    LIKELY_FIXES.find(({ sign }) => sign.test(stderr.join('\n')))?.fix ?? fix,
  ];
  return sentences.filter((sentence) => typeof sentence === 'string' && sentence !== '').join(' ');
}

function describeExit(exit: ProcessExit | undefined): string {
  return exit?.signal ? `, by signal ${exit.signal}` : ` with exit code ${exit?.code ?? 'unknown'}`;
}

/** What went wrong with a connection, and what to do about it. */
interface Explanation {
  what: string;
  fix?: string | undefined;
}

function explainError(error: unknown): Explanation {
  const status = httpStatus(error);
  if (status === 401 || status === 403) {
    return {
      what: `The server wants authorization (HTTP ${status}).`,
      fix: 'Add an "Authorization" header to its entry in the config file.',
    };
  }
  if (status !== undefined) return { what: `The server answered with HTTP ${status}.`, fix: 'Check the URL.' };
  if (isUnreachable(error)) {
    return { what: `Nothing answers there (${rootCause(error)}).`, fix: 'Check the URL and the network.' };
  }
  const known = error instanceof SdkError ? SDK_ERRORS[error.code] : undefined;
  if (known !== undefined) return known;
  if (error instanceof ProtocolError) {
    return { what: `It answered with an error: ${oneLine(error.message)} (code ${error.code}).` };
  }
  const what = error instanceof CausewayError ? error.message : describeError(error);
  return { what: asSentence(oneLine(what)), fix: error instanceof CausewayError ? error.hint : undefined };
}

/** The SDK's own words for these are made for programmers. */
const SDK_ERRORS: Partial<Record<SdkErrorCode, Explanation>> = {
  [SdkErrorCode.ConnectionClosed]: { what: 'The connection was closed.' },
  [SdkErrorCode.EraNegotiationFailed]: {
    what: 'The connection was closed before it had said which protocol it speaks.',
  },
  [SdkErrorCode.RequestTimeout]: {
    what: 'It did not answer in time.',
    fix: 'Restart it; if it stays, look at its last output.',
  },
  [SdkErrorCode.InvalidResult]: {
    what: 'What it answered is not what MCP says, so it may be another kind of program, or have a fault.',
  },
};

function rootCause(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  if (cause instanceof AggregateError && cause.message === '') cause = cause.errors[0];
  return cause instanceof Error ? cause.message : String(cause);
}

/** What a server says may have any shape; in a sentence it is a line. */
function oneLine(text: string): string {
  return cut(text.replace(/\s+/g, ' ').trim(), QUOTED_LENGTH);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}\u2026` : text;
}

/** A command line tells the program at its start, and what it runs often at its end. */
function cutMiddle(text: string, length: number): string {
  const half = Math.floor((length - 1) / 2);
  return text.length > length ? `${text.slice(0, half)}\u2026${text.slice(-half)}` : text;
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Also why, when Causeway closed the connection itself. */
function closedReason(stderr: readonly string[]): string {
  const own = stderr.findLast((line) => line.startsWith(OWN_WORDS))?.slice(OWN_WORDS.length);
  return own === undefined ? 'the connection was closed' : `the connection was closed. ${own.replace(/\.$/, '')}`;
}

/** What a failed call of a tool means, as an error for people. */
export function explainCall(
  error: unknown,
  call: { server: string; tool: string; idleMs: number; stderr: readonly string[] },
): CausewayError {
  if (error instanceof CausewayError) return error;
  const { server, tool, idleMs } = call;
  const status = httpStatus(error);
  if (error instanceof ProtocolError) {
    return new CausewayError(
      'protocol',
      `The server "${server}" answered the call of "${tool}" with an error: ${asSentence(error.message)}`,
      { cause: error },
    );
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return new CausewayError(
      'timeout',
      `The tool "${tool}" of the server "${server}" gave no sign of life for ${Math.round(idleMs / 1000)} seconds; the call was cancelled.`,
      {
        hint: 'It may have had effects all the same.',
        cause: error,
      },
    );
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult) {
    return new CausewayError(
      'protocol',
      `The server "${server}" answered the call of "${tool}" with something that is no tool result.`,
      {
        hint: 'The call may have had effects all the same.',
        cause: error,
      },
    );
  }
  const reason =
    status !== undefined
      ? `it answered with HTTP ${status}`
      : isUnreachable(error)
        ? 'it can not be reached'
        : closedReason(call.stderr);
  return new CausewayError('unavailable', `The server "${server}" did not finish the call of "${tool}": ${reason}.`, {
    hint: 'It was not repeated, since it may have had effects.',
    cause: error,
  });
}
