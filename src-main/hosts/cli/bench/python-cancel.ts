import { randomUUID } from 'node:crypto';
import type { Bench, BenchContext } from './contract.ts';
import { toRow } from './measure.ts';

const CALLS = 10;
/** The owner's limit, in milliseconds. */
const LIMIT_MS = 100;
/** Goes on whatever it is told, in C code. */
const CODE = `
import signal
for number in range(1, signal.NSIG):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
print("started", flush=True)
sum(range(10**13))`;

/** From the person's stop to the call's result, with everything in the sandbox ended. */
export const pythonCancel: Bench = {
  name: 'python.cancel',
  async run(context) {
    const samples: number[] = [];
    for (let index = 0; index < CALLS; index += 1) samples.push(await cancelOne(context));
    return toRow({
      name: 'python.cancel',
      value: Math.max(...samples),
      unit: 'ms',
      floor: LIMIT_MS,
      goal: 1,
      note: `Floor: the most that it may take. The slowest of ${CALLS}, each of C code that ignores signals.`,
    });
  },
};

async function cancelOne({ app, sessionId, signal }: BenchContext): Promise<number> {
  const callId = randomUUID();
  const { promise: started, resolve } = Promise.withResolvers<undefined>();
  using _listening = app.store.events.on((event) => {
    if (event.type === 'tool.output' && event.callId === callId && event.text.includes('started')) resolve(undefined);
  });
  const caller = { kind: 'person' } as const;
  const ended = app.gateway.call({ callId, sessionId, caller, name: 'python_execute', input: { code: CODE }, signal });
  await Promise.race([
    started,
    ended.then(() => {
      throw new Error('The code ended before it was stopped.');
    }),
  ]);
  const startedAt = performance.now();
  app.gateway.cancel(callId);
  await ended;
  return performance.now() - startedAt;
}
