import { CausewayError } from '../../src-shared/index.ts';
import type { ChatImage, ChatMessage, Model } from './contract.ts';
import { think } from './think.ts';

/** One turn of somebody's conversation with the model. */
export interface SampleMessage {
  role: 'user' | 'assistant';
  text: string;
  images: ChatImage[];
}

/**
 * One plain answer of the model, without any tool: what a server gets that asks for it.
 * @throws CausewayError when there is none.
 */
export async function sampleModel(
  model: Model,
  { system, messages }: { system: string | undefined; messages: readonly SampleMessage[] },
  signal: AbortSignal,
): Promise<string> {
  const asked = messages.map(({ role, text, images }): ChatMessage =>
    role === 'assistant' ? { role, text, toolCalls: [] } : { role, text, ...(images.length > 0 && { images }) },
  );
  const thought = await think(
    model,
    { messages: [...(system === undefined ? [] : [{ role: 'system', text: system } as const]), ...asked], tools: [] },
    { signal, onText: () => undefined, onNotice: () => undefined },
  );
  if (thought.error !== undefined) throw thought.error;
  if (thought.end !== 'cut') return thought.text;
  throw new CausewayError('unavailable', 'The model gave no whole answer.');
}
