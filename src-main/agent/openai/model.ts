import { setTimeout as delay } from 'node:timers/promises';
import OpenAI from 'openai';
import { CausewayError, isJsonObject } from '../../../src-shared/index.ts';
import { abortable } from '../abort.ts';
import type { Model, ModelChunk, ModelRequest } from '../contract.ts';
import { explainFailure, isPassing, noStream, retryAfterMs } from './errors.ts';
import { limitedFetch } from './limited-fetch.ts';
import { toApiMessages } from './messages.ts';
import { createToolCallAssembler } from './tool-calls.ts';
import { toApiTool } from './tools.ts';

/** A model may think for long before its first word, but a stream that stops in the middle is dead sooner. Milliseconds. */
const FIRST_TOKEN_MS = 300_000;
const IDLE_MS = 120_000;
const MAX_ATTEMPTS = 4;
const MAX_WAIT_MS = 60_000;

export interface OpenAIModelOptions {
  baseUrl: string;
  /** Sent as a bearer token; local servers take any. */
  apiKey: string;
  model: string;
}

type Stream = AsyncIterable<OpenAI.Chat.ChatCompletionChunk>;

/** A model behind an OpenAI-compatible endpoint (chat completions, streaming, tool calls). */
export function createOpenAIModel({ baseUrl, apiKey, model }: OpenAIModelOptions): Model {
  // Retries are ours: the person sees them, and they stop with the run. So are the words for failures.
  const client = new OpenAI({
    ...{ apiKey, baseURL: baseUrl, maxRetries: 0, timeout: FIRST_TOKEN_MS, logLevel: 'off' },
    fetch: limitedFetch,
  });

  const openAI = /(^|\.)openai\.(com|azure\.com)$/.test(hostOf(baseUrl));

  function open(request: ModelRequest, signal: AbortSignal): Promise<Stream> {
    return client.chat.completions.create(
      {
        model,
        stream: true,
        stream_options: { include_usage: true },
        messages: toApiMessages(request.messages),
        ...(request.tools.length > 0 && {
          tools: request.tools.map((tool) => toApiTool(tool, { openAI })),
        }),
      },
      { signal },
    );
  }

  /** Opens the stream, waiting and trying again while nothing has been said yet. */
  async function* openPatiently(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelChunk, Stream, undefined> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await open(request, signal);
      } catch (error) {
        signal.throwIfAborted();
        const wait = retryAfterMs(error) ?? 500 * 2 ** attempt;
        if (!isPassing(error) || attempt === MAX_ATTEMPTS || wait > MAX_WAIT_MS) throw error;
        yield { type: 'notice', text: `The model endpoint is busy; trying again in ${Math.ceil(wait / 1000)} s.` };
        await delay(wait, undefined, { signal });
      }
    }
  }

  return {
    name: model,
    scripted: false,
    async *stream(request, signal) {
      const watch = createWatch(signal);
      try {
        const stream = yield* openPatiently(request, watch.signal);
        const heard = yield* read(abortable(stream, watch.signal), watch.touch);
        if (!heard) throw noStream(baseUrl);
      } catch (error) {
        signal.throwIfAborted();
        if (watch.signal.aborted) throw watch.signal.reason;
        throw explainFailure(error, { baseUrl, model });
      } finally {
        watch.end();
      }
    },
  };
}

/** Gives false when not a single chunk came. */
async function* read(stream: Stream, touch: () => void): AsyncGenerator<ModelChunk, boolean, undefined> {
  const assembler = createToolCallAssembler();
  let reason: string | null | undefined;
  let heard = false;
  for await (const chunk of stream) {
    touch();
    // Anybody's endpoint: not everything that is JSON is a chunk.
    if (!isJsonObject(chunk)) continue;
    heard = true;
    if (chunk.usage) {
      yield { type: 'usage', promptTokens: chunk.usage.prompt_tokens, completionTokens: chunk.usage.completion_tokens };
    }
    const choice = chunk.choices?.[0];
    if (!choice) continue;
    if (choice.delta?.content) yield { type: 'text', text: choice.delta.content };
    for (const delta of choice.delta?.tool_calls ?? []) assembler.add(delta);
    reason = choice.finish_reason ?? reason;
  }
  const calls = assembler.calls();
  for (const call of calls) yield { type: 'tool_call', call };
  // Without a reason the connection was cut: no `end` tells the loop so.
  if (reason) yield { type: 'end', reason: endReason(reason, calls.length) };
  return heard;
}

function endReason(reason: string, calls: number): Extract<ModelChunk, { type: 'end' }>['reason'] {
  if (reason === 'length') return 'length';
  // Some endpoints say "stop" although they called tools.
  if (calls > 0) return 'tool_calls';
  return reason === 'stop' ? 'stop' : 'other';
}

/** A signal that also aborts when nothing comes for too long. */
function createWatch(outer: AbortSignal): { signal: AbortSignal; touch(): void; end(): void } {
  const idle = new AbortController();
  const timedOut = (): void =>
    idle.abort(
      new CausewayError('timeout', 'The model has said nothing for too long.', {
        hint: 'Try again, or choose another model in Settings.',
      }),
    );
  let timer = setTimeout(timedOut, FIRST_TOKEN_MS);
  return {
    signal: AbortSignal.any([outer, idle.signal]),
    touch() {
      clearTimeout(timer);
      timer = setTimeout(timedOut, IDLE_MS);
    },
    end: () => clearTimeout(timer),
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
