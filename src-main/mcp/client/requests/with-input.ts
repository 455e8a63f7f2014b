import { setTimeout as delay } from 'node:timers/promises';
import {
  isInputRequiredResult,
  SdkError,
  SdkErrorCode,
  withInputRequired,
  type Client,
  type InputResponse,
  type RequestOptions,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { CausewayError } from '../../../../src-shared/index.ts';

/** How often a server may come back with another question before its answer. */
const MAX_ROUNDS = 10;
/** A server that wants to be asked again, without a question, is asked again after this, times the round, in milliseconds. */
const PAUSE_MS = 500;

/** Made once: to make a schema takes longer than to use it. */
const anyAnswer = withInputRequired(z.unknown());

/** What is asked of a server, by a method that it may answer with questions of its own. */
export interface AskableRequest {
  method: 'tools/call' | 'prompts/get' | 'resources/read';
  params: Record<string, unknown>;
}

/**
 * A request whose answer may first be questions (2026-07-28, "Multi Round-Trip Requests"): they are answered by `answer`, and the
 * request is sent again with the answers and the server's own state, unread. On the older protocol it is a plain request.
 * @param schema made with {@link lenient}.
 * @throws CausewayError `protocol` when there is no end of questions, or what `answer` or the SDK throws.
 */
export async function requestWithInput<S extends z.ZodType>(
  client: Client,
  { method, params }: AskableRequest,
  schema: z.ZodPreprocess<S>,
  options: RequestOptions,
  answer: ((request: { method: string; params?: unknown }) => Promise<InputResponse>) | undefined,
): Promise<z.output<S>> {
  let sent = params;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const result = await client.request({ method, params: sent }, anyAnswer, {
      ...options,
      allowInputRequired: true,
    });
    if (!isInputRequiredResult(result)) return readResult(method, schema, result);
    const { inputRequests, requestState } = result;
    const questions = Object.entries(inputRequests ?? {});
    if (questions.length > 0 && !answer) throw noHost(method);
    const answers = await Promise.all(
      questions.map(async ([key, question]) => [key, await answer?.(question)] as const),
    );
    if (answers.length === 0) await delay(PAUSE_MS * round, undefined, options.signal && { signal: options.signal });
    options.signal?.throwIfAborted();
    sent = {
      ...params,
      ...(answers.length > 0 && { inputResponses: Object.fromEntries(answers) }),
      ...(requestState !== undefined && { requestState }),
    };
  }
  throw new CausewayError('protocol', `The server asked back ${MAX_ROUNDS} times and gave no answer.`);
}

function readResult<S extends z.ZodType>(method: string, schema: z.ZodPreprocess<S>, result: unknown): z.output<S> {
  const checked = schema.safeParse(result);
  if (checked.success) return checked.data;
  throw new SdkError(SdkErrorCode.InvalidResult, `The answer to ${method} is not as MCP has it.`, checked.error);
}

function noHost(method: string): CausewayError {
  return new CausewayError('unavailable', `The server wants to ask something before it answers ${method}.`, {
    hint: 'Nobody can be asked here.',
  });
}
