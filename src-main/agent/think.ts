import { randomUUID } from 'node:crypto';
import { createGatherer } from '../platform/index.ts';
import { abortable } from './abort.ts';
import type { Model, ModelRequest, ModelToolCall } from './contract.ts';

/** How often streamed text goes to the window, in milliseconds. */
const DELTA_INTERVAL_MS = 30;

/** One answer of a model, as far as it came. */
export interface Thought {
  text: string;
  toolCalls: ModelToolCall[];
  usage?: { promptTokens: number; completionTokens: number };
  /** `cut`: the stream broke off, or failed, or was stopped. */
  end: 'complete' | 'length' | 'cut';
  /** Why it was cut, when something was thrown. */
  error?: unknown;
}

/** Streams one answer. Never rejects: what came before a failure is kept beside the failure. */
export async function think(
  model: Model,
  request: ModelRequest,
  {
    signal,
    onText,
    onNotice,
  }: { signal: AbortSignal; onText: (text: string) => void; onNotice: (text: string) => void },
): Promise<Thought> {
  const thought: Thought = { text: '', toolCalls: [], end: 'cut' };
  using deltas = createGatherer(DELTA_INTERVAL_MS, onText);
  try {
    for await (const chunk of abortable(model.stream(request, signal), signal)) {
      switch (chunk.type) {
        case 'text':
          thought.text += chunk.text;
          deltas.write(chunk.text);
          break;
        case 'notice':
          onNotice(chunk.text);
          break;
        case 'tool_call':
          // Endpoints repeat ids between answers ("call_0"); ours are unique, and fit where ids may have 40 characters at most.
          thought.toolCalls.push({ ...chunk.call, id: `call_${randomUUID().replaceAll('-', '')}` });
          break;
        case 'usage':
          thought.usage = { promptTokens: chunk.promptTokens, completionTokens: chunk.completionTokens };
          break;
        case 'end':
          thought.end = chunk.reason === 'length' ? 'length' : 'complete';
          break;
      }
    }
  } catch (error) {
    thought.end = 'cut';
    thought.error = error;
  }
  return thought;
}
