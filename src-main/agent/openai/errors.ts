import OpenAI from 'openai';
import { CausewayError } from '../../../src-shared/index.ts';
import { ModelLimitError } from '../limit-error.ts';

export interface Endpoint {
  baseUrl: string;
  model: string;
}

/** What the endpoint answered, as a sentence with the setting to look at. Key and headers never appear in it. */
export function explainFailure(error: unknown, { baseUrl, model }: Endpoint): CausewayError {
  if (error instanceof CausewayError) return error;
  if (error instanceof OpenAI.APIConnectionError) return connectionError(error, baseUrl);
  if (!(error instanceof OpenAI.APIError) || error.status === undefined) {
    const detail = oneLine(error instanceof Error ? error.message : String(error));
    if (isCut(error)) return brokenOff(error);
    if (error instanceof OpenAI.APIError) {
      return new CausewayError(
        'unavailable',
        `The model endpoint ${baseUrl} reported an error: ${withoutDot(detail)}.`,
        {
          hint: 'Try again later.',
          cause: error,
        },
      );
    }
    return new CausewayError(
      'protocol',
      `The model's answer from ${baseUrl} could not be read: ${withoutDot(detail)}.`,
      {
        hint: 'Try again; if it stays, check that the address is an OpenAI-compatible endpoint.',
        cause: error,
      },
    );
  }
  const said = withoutDot(oneLine(error.message.replace(/^\d{3}\s*/, '')));
  switch (error.status) {
    case 401:
      return refusal(
        `The model endpoint ${baseUrl} does not accept the key.`,
        'Check the key in Settings, Model, or OPENAI_API_KEY.',
        error,
      );
    case 403:
      return refusal(
        `The model endpoint ${baseUrl} does not allow this: ${said}.`,
        'Check that the key may use this model.',
        error,
      );
    case 404:
      return refusal(
        `The model endpoint ${baseUrl} knows no model "${model}" (or no chat completions): ${said}.`,
        'Check the model name and the base URL in Settings, Model.',
        error,
      );
    case 429:
      return new CausewayError('unavailable', `The model endpoint asks to wait: ${said}.`, {
        hint: 'Try again later, or check the limits of your account.',
        cause: error,
      });
    default:
      return error.status >= 500 ? serverError(error.status, baseUrl, said, error) : requestError(said, error);
  }
}

/** For an answer that holds nothing of what a model says, such as a web page. */
export function noStream(baseUrl: string): CausewayError {
  return new CausewayError('protocol', `${baseUrl} answered, but not as a model does.`, {
    hint: 'Check the base URL in Settings, Model, or OPENAI_BASE_URL: it mostly ends in "/v1".',
  });
}

/** For an answer that ended before its end. */
function brokenOff(cause: unknown): CausewayError {
  return new CausewayError('unavailable', 'The connection to the model broke off in the middle of its answer.', {
    hint: 'Send a message to go on.',
    cause,
  });
}

/** True for what Node's fetch throws when the connection ends within a body. */
function isCut(error: unknown): boolean {
  return error instanceof TypeError && (error.message === 'terminated' || causeCode(error) === 'ECONNRESET');
}

/** What others say may be long and have any shape; in a sentence it is a line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 500);
}

function withoutDot(text: string): string {
  return text.replace(/\.+$/, '');
}

/** True when trying the same request again may help. */
export function isPassing(error: unknown): boolean {
  if (error instanceof OpenAI.APIConnectionTimeoutError) return true;
  if (error instanceof OpenAI.APIConnectionError) return causeCode(error) === 'ECONNRESET';
  return (
    error instanceof OpenAI.APIError &&
    error.status !== undefined &&
    [408, 429, 500, 502, 503, 504].includes(error.status)
  );
}

/** How long the endpoint asks to wait, in milliseconds (RFC 9110, Retry-After in seconds; `retry-after-ms` of OpenAI). */
export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof OpenAI.APIError)) return undefined;
  const exact = Number(error.headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const seconds = Number(error.headers?.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function refusal(message: string, hint: string, cause: unknown): CausewayError {
  return new CausewayError('refused', message, { hint, cause });
}

function serverError(status: number, baseUrl: string, said: string, cause: unknown): CausewayError {
  return new CausewayError('unavailable', `The model endpoint ${baseUrl} failed (${status}): ${said}.`, {
    hint: 'Try again later.',
    cause,
  });
}

function requestError(said: string, cause: unknown): CausewayError {
  if (/context.?length|too many tokens|maximum.*tokens|exceed.*context/i.test(said)) {
    return new ModelLimitError('context', `The conversation is too long for this model: ${said}.`, { cause });
  }
  if (/image/i.test(said)) return new ModelLimitError('images', `This model does not take images: ${said}.`, { cause });
  return new CausewayError('bad_input', `The model endpoint did not accept the request: ${said}.`, {
    hint: 'Check the model name in Settings, Model: the model must be able to call tools.',
    cause,
  });
}

function connectionError(error: Error, baseUrl: string): CausewayError {
  const code = causeCode(error);
  const { what, hint } = CONNECTION_PROBLEMS[code ?? ''] ?? {
    what: 'could not be reached',
    hint: 'Check the base URL in Settings, Model, and your network.',
  };
  return new CausewayError('unavailable', `The model endpoint ${baseUrl} ${what}.`, { hint, cause: error });
}

const CONNECTION_PROBLEMS: Record<string, { what: string; hint: string } | undefined> = {
  ECONNREFUSED: {
    what: 'refused the connection',
    hint: 'Is the model server running? Check the base URL in Settings, Model.',
  },
  ENOTFOUND: { what: 'has a name that is not known', hint: 'Check the base URL in Settings, Model, and your network.' },
  EAI_AGAIN: { what: 'has a name that can not be looked up now', hint: 'Check your network connection.' },
  ECONNRESET: { what: 'closed the connection', hint: 'Try again.' },
  ETIMEDOUT: { what: 'did not answer', hint: 'Check your network, and whether a proxy is needed.' },
  CERT_HAS_EXPIRED: {
    what: 'has an expired certificate',
    hint: 'Check the date of this computer, or tell who runs the server.',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    what: 'has a certificate that is not trusted',
    hint: 'Set NODE_EXTRA_CA_CERTS to its authority.',
  },
};

/** The system's error code, which fetch hides a few causes deep. */
function causeCode(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 6; depth += 1) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return undefined;
}
