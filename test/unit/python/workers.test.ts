import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/index.ts';
import type { Job, PlacedWorker, WorkerLink, WorkerUsage } from '../../../src-main/tools/python/contract.ts';
import { createExecutor, type Executor } from '../../../src-main/tools/python/executor.ts';
import { createWorker } from '../../../src-main/tools/python/worker.ts';

/** A link to a worker that is played by the test. */
function fakeLink(
  answer: (request: JsonObject, say: (message: unknown) => void, write: (text: string) => void) => void,
) {
  let hear: (message: unknown) => void = () => undefined;
  let print: (bytes: Uint8Array) => void = () => undefined;
  const { promise: closed, resolve } = Promise.withResolvers<{ outOfMemory: boolean }>();
  const state: { kills: number; used: WorkerUsage } = { kills: 0, used: { memoryBytes: 0, processes: 1, cpuMs: 0 } };
  const link: WorkerLink = {
    send: (message) => answer(message, hear, (text) => print(Buffer.from(text))),
    onMessage: (listener) => void (hear = listener),
    onOutput: (listener) => void (print = listener),
    closed,
    kill() {
      state.kills += 1;
      resolve({ outOfMemory: false });
      return Promise.resolve();
    },
    usage: () => state.used,
  };
  return {
    link,
    state,
    end: resolve,
    say: (message: unknown) => hear(message),
    write: (text: string) => print(Buffer.from(text)),
  };
}

const limits = { memoryBytes: 100, processes: 5, cores: 2, idleCpuMs: 100, outputBytes: 1000, perProcess: {} };
const ready = { type: 'ready', python: '3.14.0' };
/** How every PNG begins. */
const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1').toString('base64');

function job(extra: Partial<Job> = {}): Job & { said: () => string } {
  const chunks: Uint8Array[] = [];
  return {
    code: '1',
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    last: true,
    onOutput: (bytes) => void chunks.push(bytes),
    said: () => Buffer.concat(chunks).toString('utf8'),
    ...extra,
  };
}

describe('a worker', () => {
  it('finishes when both the report and the end of the output are there, in either order', async () => {
    for (const reportFirst of [true, false]) {
      const fake = fakeLink(({ mark }, say, write) => {
        const report = (): void => say({ type: 'done', ok: true, value: '2' });
        if (reportFirst) report();
        write('out');
        write(`put${String(mark)}`);
        if (!reportFirst) report();
      });
      const worker = createWorker(fake.link, limits);
      fake.say(ready);
      const one = job();
      const outcome = await worker.run(one);
      expect([outcome.ending, outcome.report?.value, one.said(), fake.state.kills]).toEqual([
        'finished',
        '2',
        'output',
        0,
      ]);
    }
  });

  it.each(['timeout', 'cancelled', 'memory'])('is ended at %s and keeps the output until then', async (ending) => {
    const abort = new AbortController();
    const fake = fakeLink((_, __, write) => {
      write('before');
      if (ending === 'cancelled') abort.abort();
      if (ending === 'memory') fake.state.used = { ...fake.state.used, memoryBytes: 101 };
    });
    const extra = { signal: abort.signal, ...(ending === 'timeout' && { timeoutMs: 1 }) };
    const worker = createWorker(fake.link, limits);
    fake.say(ready);
    const one = job(extra);
    const outcome = await worker.run(one);
    expect([outcome.ending, one.said(), fake.state.kills]).toEqual([ending, 'before', 1]);
  });

  it.each([
    { ending: 'processes', limit: 'more processes than it may', used: { processes: 6 } },
    { ending: 'processor', limit: 'more cores than it may for the whole time', used: { cpuMs: 2 * 60_000 + 1 } },
    { ending: 'memory', limit: 'memory until the kernel ended something', used: { outOfMemory: true } },
  ])('is ended when it uses $limit', async ({ ending, used }) => {
    const looks: WorkerUsage[] = [{ memoryBytes: 0, processes: 1, cpuMs: 0 }];
    const fake = fakeLink(() => undefined);
    const next = { memoryBytes: 0, processes: 1, cpuMs: 0, ...used };
    const link = { ...fake.link, usage: () => looks.shift() ?? next };
    const worker = createWorker(link, limits);
    fake.say(ready);
    expect((await worker.run(job())).ending).toBe(ending);
  });

  it('may share memory between its processes where the kernel holds the limit', async () => {
    const looked = Promise.withResolvers<undefined>();
    let mark = '';
    const fake = fakeLink((request) => (mark = String(request['mark'])));
    const usage = (): WorkerUsage => {
      looked.resolve(undefined);
      return { memoryBytes: 500, processes: 5, cpuMs: 0, outOfMemory: false };
    };
    const worker = createWorker({ ...fake.link, usage }, limits);
    fake.say(ready);
    const running = worker.run(job());
    await looked.promise;
    fake.write(mark);
    fake.say({ type: 'done', ok: true });
    expect((await running).ending).toBe('finished');
  });

  it('that the kernel ended for want of memory says so', async () => {
    const fake = fakeLink(() => fake.end({ outOfMemory: true }));
    const worker = createWorker(fake.link, limits);
    fake.say(ready);
    expect((await worker.run(job())).ending).toBe('memory');
  });

  it('is ended when what a kept job left behind writes more than it may', async () => {
    const fake = fakeLink(({ mark }, say, write) => {
      write(String(mark));
      say({ type: 'done', ok: true });
    });
    const worker = createWorker(fake.link, limits);
    fake.say(ready);
    expect((await worker.run(job({ last: false }))).ending).toBe('finished');
    expect(fake.state.kills).toBe(0);
    fake.write('x'.repeat(1001));
    expect(fake.state.kills).toBe(1);
  });

  it('is ended when it writes more than it may', async () => {
    const fake = fakeLink((_, __, write) => write('x'.repeat(1001)));
    const worker = createWorker(fake.link, limits);
    fake.say(ready);
    expect((await worker.run(job())).ending).toBe('output');
  });

  it.each([{ type: 'picture', mimeType: 'text/html', data: 'PGI+' }, { type: 'done' }, null, 7])(
    'that says %j is not believed again',
    async (nonsense) => {
      const fake = fakeLink((_, say) => say(nonsense));
      const worker = createWorker(fake.link, limits);
      fake.say(ready);
      expect((await worker.run(job())).ending).toBe('died');
    },
  );

  it('keeps a bounded number of pictures, and only what begins as one', async () => {
    const picture = { type: 'picture', mimeType: 'image/png', data: PNG };
    const fake = fakeLink(({ mark }, say, write) => {
      say({ ...picture, data: 'AAAA' });
      for (let index = 0; index < 30; index += 1) say(picture);
      write(String(mark));
      say({ type: 'done', ok: true });
    });
    const worker = createWorker(fake.link, limits);
    fake.say(ready);
    const { ending, pictures } = await worker.run(job());
    expect(ending).toBe('finished');
    expect(pictures).toEqual(Array.from({ length: 20 }, () => ({ mimeType: 'image/png', data: PNG })));
  });

  it('that never stops talking is not believed again', async () => {
    const fake = fakeLink((_, say) => {
      for (let index = 0; index < 100; index += 1) say(ready);
    });
    const worker = createWorker(fake.link, limits);
    fake.say(ready);
    expect((await worker.run(job())).ending).toBe('died');
    expect(worker.alive).toBe(false);
  });

  it('that ends before it is ready says what it said', async () => {
    const fake = fakeLink(() => undefined);
    const worker = createWorker(fake.link, limits);
    fake.write('bad option: --permission');
    await fake.link.kill();
    await expect(worker.ready).rejects.toThrow('bad option: --permission');
  });
});

/** Workers that answer with the number they were started as. */
function numberedExecutor(options: { fits?: (number: number) => boolean; spares?: number } = {}): {
  executor: Executor;
  started: () => number;
  alive: Set<number>;
} {
  let started = 0;
  const alive = new Set<number>();
  const boot = (): Promise<PlacedWorker> => {
    started += 1;
    const number = started;
    alive.add(number);
    return Promise.resolve({
      ready: Promise.resolve({ python: '3', landlock: 0, runtime: '' }),
      get alive() {
        return alive.has(number);
      },
      run: ({ code }) =>
        Promise.resolve({
          ending: code === 'die' ? 'died' : 'finished',
          pictures: [],
          durationMs: 1,
          notes: [],
          report: { ok: true, value: String(number) },
        }),
      kill() {
        alive.delete(number);
        return Promise.resolve();
      },
      fits: () => Promise.resolve(options.fits?.(number) ?? true),
      settle: () => Promise.resolve([]),
    });
  };
  const executor = createExecutor({ kind: 'bubblewrap', boot, spares: options.spares ?? 1, most: 2, sessions: 1 });
  return { executor, started: () => started, alive };
}

const call = async (executor: Executor, keep?: string, code = '1'): Promise<string | undefined> => {
  const outcome = await executor.run({
    place: { workspace: '/w' },
    job: job({ code }),
    ...(keep !== undefined && { keep }),
  });
  return outcome.report?.value;
};

describe('an executor', () => {
  it('uses a worker for one call only, and has the next one waiting', async () => {
    const { executor, alive } = numberedExecutor();
    expect([await call(executor), await call(executor)]).toEqual(['1', '2']);
    expect([...alive]).toEqual([3]);
  });

  it('passes over waiting workers that do not fit any more, and ends them', async () => {
    const { executor, alive } = numberedExecutor({ fits: (number) => number !== 2 });
    await call(executor);
    expect(await call(executor)).toBe('3');
    expect(alive.has(2)).toBe(false);
  });

  it('keeps a session’s worker from call to call, and none for two sessions', async () => {
    const { executor } = numberedExecutor({ spares: 0 });
    expect([await call(executor, 'a'), await call(executor, 'a')]).toEqual(['1', '1']);
    expect(await call(executor, 'b')).toBe('2');
  });

  it('starts a session afresh after its worker was ended', async () => {
    const { executor } = numberedExecutor({ spares: 0 });
    await call(executor, 'a', 'die');
    expect(await call(executor, 'a')).toBe('2');
  });

  it('takes a call that is aborted before its turn out of the queue', async () => {
    const { executor } = numberedExecutor();
    const signal = AbortSignal.abort(new Error('not any more'));
    await expect(executor.run({ place: { workspace: '/w' }, job: job({ signal }) })).rejects.toThrow('not any more');
  });

  it('ends every worker when it is disposed of', async () => {
    const { executor, alive } = numberedExecutor({ spares: 2 });
    await call(executor);
    await call(executor, 'a');
    await executor[Symbol.asyncDispose]();
    expect(alive.size).toBe(0);
  });
});
