import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Model, ModelChunk } from '../../../agent/index.ts';
import type { Bench } from './contract.ts';
import { median, toRow } from './measure.ts';

const STEPS = 300;
/** The goal of a step is an absolute one, in milliseconds. */
const GOAL_MS = 10;
const REQUEST = { messages: [], tools: [] };

/** One step of a run with a model that answers at once and a tool that does next to nothing, against the model calls alone. */
export const agentStep: Bench = {
  name: 'agent.step',
  async run({ app: { agent, store }, folder, sessionId, signal }) {
    const settings = store.settings.get();
    store.settings.set({ ...settings, agent: { ...settings.agent, maxSteps: STEPS + 1 } });
    const file = path.join(folder, 'small.txt');
    await writeFile(file, 'One line.\n');

    const real = createInstantModel(file);
    const run = agent.start({ sessionId, text: 'Read the file again and again.', model: real.model });
    const stop = (): void => run.stop();
    signal.addEventListener('abort', stop, { once: true });
    const end = await run.ended;
    signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
    if (end.outcome !== 'done') throw new Error(`The run ended as "${end.outcome}": ${end.message}`);

    const bare = createInstantModel(file);
    for (let step = 0; step <= STEPS; step += 1) {
      for await (const _chunk of bare.model.stream(REQUEST, signal));
    }
    const floor = median(gaps(bare.startedAt));
    return toRow({
      name: 'agent.step',
      value: median(gaps(real.startedAt)),
      unit: 'ms',
      floor,
      goal: Math.floor(GOAL_MS / floor),
      note: `The goal is ${GOAL_MS} ms a step, whatever the floor: the instant model's calls in an empty loop. ${STEPS} steps, each with one recorded tool call.`,
    });
  },
};

/** Asks for the same small read each time, then ends; notes when it was asked. */
function createInstantModel(file: string): { model: Model; startedAt: number[] } {
  const startedAt: number[] = [];
  const input = JSON.stringify({ command: 'view', path: file });
  async function* stream(): AsyncGenerator<ModelChunk, void, undefined> {
    startedAt.push(performance.now());
    if (startedAt.length > STEPS) {
      yield { type: 'text', text: 'Done.' };
      yield { type: 'end', reason: 'stop' };
      return;
    }
    yield { type: 'text', text: 'Reading.' };
    yield { type: 'tool_call', call: { id: 'call', name: 'str_replace_editor', arguments: input } };
    yield { type: 'end', reason: 'tool_calls' };
  }
  return { model: { name: 'instant', scripted: true, stream }, startedAt };
}

function gaps(times: readonly number[]): number[] {
  return times.slice(1).map((time, index) => time - (times[index] ?? time));
}
