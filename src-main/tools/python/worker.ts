import { randomBytes } from 'node:crypto';
import { CausewayError } from '../../../src-shared/index.ts';
import type {
  Ending,
  Job,
  Outcome,
  Picture,
  PythonWorker,
  Report,
  WorkerHello,
  WorkerLimits,
  WorkerLink,
  WorkerUsage,
} from './contract.ts';
import { createMarkCutter, type MarkCutter } from './mark.ts';
import { createFrameRemover, type FrameRemover } from './own-frames.ts';
import { untilAborted } from './until-aborted.ts';
import { MAX_PICTURES, MAX_PICTURES_LENGTH } from './bounds.ts';
import { workerMessage, type WorkerMessage } from './messages.ts';
import { isPicture } from './picture.ts';

/** How long a worker may take to be ready, in milliseconds. */
const BOOT_MS = 30_000;
/** How often memory and processes are looked at while code runs, in milliseconds. */
const WATCH_MS = 50;
/** The same between two jobs, when only what a job left behind can run. */
const IDLE_WATCH_MS = 1000;
/** How long the end of the output may come after the report, in milliseconds. */
const MARK_GRACE_MS = 500;

/** Messages of one job: its pictures, perhaps some of a thread that an earlier job left, and its end. */
const MAX_MESSAGES = 2 * MAX_PICTURES + 1;

/** What is going on while a job runs. */
interface Running {
  readonly job: Job;
  readonly cutter: MarkCutter;
  readonly frames: FrameRemover;
  readonly pictures: Picture[];
  report?: Report;
  outputBytes: number;
  finish(ending: Ending): void;
}

/** A worker over a link: one protocol for every backend. */
export function createWorker(link: WorkerLink, limits: WorkerLimits): PythonWorker {
  const booted = Promise.withResolvers<WorkerHello>();
  // Whoever needs the worker awaits `ready`; a spare that fails unnoticed is no unhandled rejection.
  booted.promise.catch(() => undefined);
  const bootTimer = setTimeout(() => void link.kill(), BOOT_MS);
  let running: Running | undefined;
  let alive = true;
  let said = '';
  let messages = 0;
  let idle: { stop: () => void; outputBytes: number } | undefined;

  link.onMessage((raw) => {
    const parsed = workerMessage.safeParse(raw);
    messages += 1;
    // A worker that talks nonsense, or too much, has been taken over by the code in it.
    if (parsed.success && messages <= MAX_MESSAGES) hear(parsed.data);
    else end();
  });
  link.onOutput((bytes) => {
    if (running) take(running, bytes);
    else if (idle) takeIdle(idle, bytes);
    else said = (said + Buffer.from(bytes).toString('utf8')).slice(-2000);
  });
  void link.closed.then(({ outOfMemory }) => {
    alive = false;
    clearTimeout(bootTimer);
    idle?.stop();
    booted.reject(new CausewayError('unavailable', `Python ended before it was ready. ${said.trim()}`.trim()));
    running?.finish(outOfMemory ? 'memory' : 'died');
  });

  function hear(message: WorkerMessage): void {
    switch (message.type) {
      case 'ready':
        clearTimeout(bootTimer);
        booted.resolve(message);
        return;
      case 'refused':
        booted.reject(new CausewayError('unavailable', message.reason));
        void link.kill();
        return;
      case 'picture':
        if (running) keepPicture(running.pictures, message);
        return;
      case 'done': {
        if (!running) return;
        const { finish, cutter } = running;
        running.report = message;
        // Report and output come by different ways: the run is over when both are whole.
        if (cutter.found) finish('finished');
        else setTimeout(() => finish('finished'), MARK_GRACE_MS).unref();
      }
    }
  }

  function take(current: Running, bytes: Uint8Array): void {
    current.outputBytes += bytes.length;
    const text = current.frames.push(current.cutter.push(bytes));
    if (text.length > 0) current.job.onOutput(text);
    if (current.outputBytes > limits.outputBytes) current.finish('output');
    if (current.report && current.cutter.found) current.finish('finished');
  }

  async function run(job: Job): Promise<Outcome> {
    await untilAborted(booted.promise, job.signal);
    const ended = Promise.withResolvers<Ending>();
    const mark = `\0${randomBytes(16).toString('hex')}\0`;
    const current: Running = {
      job,
      cutter: createMarkCutter(mark),
      frames: createFrameRemover(limits.ownFolder),
      pictures: [],
      outputBytes: 0,
      finish: ended.resolve,
    };
    idle?.stop();
    idle = undefined;
    messages = 0;
    running = current;
    const startedAt = performance.now();
    const stopWatching = watch(current);
    if (!alive) current.finish('died');
    const cpuSeconds = Math.ceil((job.timeoutMs * limits.cores) / 1000);
    const { code, last } = job;
    link.send({ code, mark, last, cpuSeconds, limits: limits.perProcess, ...deadlines(job.timeoutMs) });
    const ending = await ended.promise;
    stopWatching();
    if (ending !== 'finished') {
      await link.kill();
      job.onOutput(current.frames.push(current.cutter.rest()));
    }
    const held = current.frames.rest();
    if (held.length > 0) job.onOutput(held);
    running = undefined;
    if (alive && !job.last) idle = watchIdle();
    const durationMs = performance.now() - startedAt;
    const { report, pictures } = current;
    return { ending, pictures, durationMs, notes: [], ...(report && { report }) };
  }

  function watch({ job, finish }: Running): () => void {
    const deadline = setTimeout(() => finish('timeout'), job.timeoutMs);
    const onAbort = (): void => finish('cancelled');
    job.signal.addEventListener('abort', onAbort, { once: true });
    if (job.signal.aborted) onAbort();
    const allowed = job.timeoutMs * limits.cores;
    const meter = createMeter(limits, allowed);
    const watching = setInterval(() => {
      const used = link.usage();
      const over = used && meter(used);
      if (over) finish(over);
    }, WATCH_MS);
    return () => {
      clearTimeout(deadline);
      clearInterval(watching);
      job.signal.removeEventListener('abort', onAbort);
    };
  }

  /** What a job left running in a kept worker has the same limits, and hardly any processor time. */
  function watchIdle(): { stop: () => void; outputBytes: number } {
    const meter = createMeter(limits, limits.idleCpuMs);
    const watching = setInterval(() => {
      const used = link.usage();
      if (used && meter(used)) end();
    }, IDLE_WATCH_MS).unref();
    return { stop: () => clearInterval(watching), outputBytes: 0 };
  }

  function takeIdle(current: { outputBytes: number }, bytes: Uint8Array): void {
    current.outputBytes += bytes.length;
    if (current.outputBytes > limits.outputBytes) end();
  }

  /** From now on no call is given to it, though it takes a moment to be gone. */
  function end(): void {
    alive = false;
    void link.kill();
  }

  return {
    ready: booted.promise,
    get alive() {
      // The kernel may have ended what was left running a moment ago: that must not fall to the next call.
      return alive && !(idle && link.usage()?.outOfMemory === true);
    },
    run,
    kill: () => link.kill(),
  };
}

/** Only what is a picture, and not more of it than a result can hold. */
function keepPicture(pictures: Picture[], { mimeType, data }: Picture): void {
  const length = pictures.reduce((sum, picture) => sum + picture.data.length, data.length);
  if (pictures.length >= MAX_PICTURES || length > MAX_PICTURES_LENGTH || !isPicture(mimeType, data)) return;
  pictures.push({ mimeType, data });
}

/** Says which limit was passed, if any; processor time counts from the first look. */
function createMeter(limits: WorkerLimits, cpuMs: number): (used: WorkerUsage) => Ending | undefined {
  let before: number | undefined;
  return (used) => {
    before ??= used.cpuMs;
    // Where the kernel holds the limit, the sum over processes says too much: it counts what a fork shares twice.
    if (used.outOfMemory ?? used.memoryBytes > limits.memoryBytes) return 'memory';
    if (used.processes > limits.processes) return 'processes';
    return used.cpuMs - before > cpuMs ? 'processor' : undefined;
  };
}

/**
 * Shortly before the hard end the code is interrupted, so that a traceback names the line it hung in; where that is not
 * heard, the interpreter writes where it is.
 */
function deadlines(timeoutMs: number): { softSeconds: number; dumpSeconds: number } {
  const lead = Math.min(timeoutMs * 0.1, 500);
  return { softSeconds: (timeoutMs - lead) / 1000, dumpSeconds: (timeoutMs - lead / 2) / 1000 };
}
