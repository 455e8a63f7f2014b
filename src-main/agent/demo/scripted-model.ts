import { setTimeout as delay } from 'node:timers/promises';
import type { ChatMessage, Model, ModelChunk, ModelRequest } from '../contract.ts';
import type { JsonObject } from '../../../src-shared/index.ts';

/** What the script says next: a sentence, and a tool call unless it is the last word. */
export interface Line {
  say: string;
  call?: { name: string; input: JsonObject };
}

/** What came of the call before, as the loop told it to the model. */
export interface Seen {
  text: string;
  failed: boolean;
  images: number;
  /** Names of the tools that are there now. */
  tools: readonly string[];
}

/** Says a line, is given what came of it, and decides on the next. The returned line ends the run. */
export type Script = Generator<Line, Line, Seen>;

/** The name on screen: nobody shall take a script for a model. */
export const SCRIPTED_NAME = 'Scripted demo, not a model';

/**
 * A script in a model's place, for one run. It drives the real loop and real tools, sees only what a model would see, and
 * reacts to it.
 * @param paceMs pause between two words, so that a person can follow; 0 for none.
 */
export function createScriptedModel(script: Script, { paceMs }: { paceMs: number }): Model {
  let count = 0;
  return {
    name: SCRIPTED_NAME,
    scripted: true,
    async *stream(request, signal): AsyncGenerator<ModelChunk, void, undefined> {
      const next = script.next(look(request));
      const { say, call } = next.value;
      for (const word of say.match(/\S+\s*/g) ?? []) {
        if (paceMs > 0) await delay(paceMs, undefined, { signal });
        yield { type: 'text', text: word };
      }
      if (call) {
        count += 1;
        yield {
          type: 'tool_call',
          call: { id: `demo-${count}`, name: call.name, arguments: JSON.stringify(call.input) },
        };
      }
      yield { type: 'end', reason: call ? 'tool_calls' : 'stop' };
    },
  };
}

function look({ messages, tools }: ModelRequest): Seen {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const text = since.flatMap((message) => (message.role === 'tool' ? [message.text] : [])).join('\n');
  return {
    text,
    // How the loop marks the result of a call that failed.
    failed: text.startsWith('Error: '),
    images: since.reduce((sum, message) => sum + imagesIn(message), 0),
    tools: tools.map((tool) => tool.function.name),
  };
}

function imagesIn(message: ChatMessage): number {
  return message.role === 'user' ? (message.images?.length ?? 0) : 0;
}
