import { finished } from 'node:stream/promises';
import { CausewayError } from '../../../../src-shared/index.ts';
import { plainName } from '../../../platform/index.ts';
import type { MovedEntry, Sandbox, SandboxedProcess, WorkspaceGuard } from '../../../sandbox/index.ts';
import type { Place, PlacedWorker, PythonWorker, Terms, WorkerLink } from '../contract.ts';
import { createFrameReader, encodeFrame } from '../frames.ts';
import { createWorker } from '../worker.ts';
import type { Interpreter } from './interpreters.ts';
import { unfitWorkspace } from './unfit-workspace.ts';
import { openWayOut, type OpenWayOut } from './way-out.ts';
import {
  LIMITS,
  PROTECTED_ENTRIES,
  pythonPolicy,
  WORKER_PATH,
  workerOptions,
  type FontCache,
  type WorkerFiles,
} from './policy.ts';

/** How long output may still come after the sandbox is gone, in milliseconds. */
const DRAIN_MS = 1000;

export interface CpythonParts {
  sandbox: Sandbox;
  interpreter: Interpreter;
  files: WorkerFiles;
  /** Folders that must not be seen. */
  hidden: readonly string[];
  /** Keeps what is the same at the next start, and the folders of ways out. */
  runDir: string;
  /** What the person lets Python do now. */
  terms: () => Terms;
}

/** Starts CPython in a sandbox of its own, with these modules imported ahead of time. @throws CausewayError `refused` or `unavailable` */
export async function bootCpython(
  parts: CpythonParts,
  { workspace, packages }: Place,
  { preload, fontCache }: { preload: readonly string[]; fontCache: FontCache | undefined },
): Promise<PlacedWorker> {
  const { sandbox, interpreter } = parts;
  const unfit = unfitWorkspace(workspace);
  if (unfit !== undefined) throw new CausewayError('refused', unfit);
  const terms = parts.terms();
  const guard = await sandbox.guard(workspace, PROTECTED_ENTRIES, { below: terms.workspace === 'read-write' });
  const way = await openWayOut(parts, { hosts: terms.hosts, setting: 'python.network' });
  const policy = pythonPolicy({ ...parts, terms, workspace, packages, fontCache, way, nestedEntries: guard.nested });
  const options = workerOptions({ terms, workspace, packages, preload, fontCache });
  const program = [interpreter.executable, '-I', '-u', '-X', 'utf8', WORKER_PATH, options] as const;
  const argv = way ? ([...way.starter, ...program] as const) : program;
  try {
    const started = await sandbox.launch(policy, argv, workspace);
    void started.gone.then(() => way?.[Symbol.asyncDispose]());
    const worker = createWorker(linkTo(started), LIMITS);
    return place({
      worker,
      started,
      guard,
      way,
      hasSameTerms: () => JSON.stringify(parts.terms()) === JSON.stringify(terms),
    });
  } catch (error) {
    await way?.[Symbol.asyncDispose]();
    throw error;
  }
}

/** What the workspace guard and the way out have to say of a worker. The properties of the worker itself stay live. */
function place({
  worker,
  started,
  guard,
  way,
  hasSameTerms,
}: {
  worker: PythonWorker;
  started: SandboxedProcess;
  guard: WorkspaceGuard;
  way: OpenWayOut | undefined;
  hasSameTerms: () => boolean;
}): PlacedWorker {
  let isPaused = false;
  return {
    ready: worker.ready,
    get alive() {
      return worker.alive;
    },
    run(job) {
      if (isPaused) started.resume();
      isPaused = false;
      return worker.run(job);
    },
    kill: worker.kill,
    fits: async () => hasSameTerms() && (await guard.holds()),
    async settle() {
      // What a job left running could plant something when it has been looked: it stands still until the next job.
      isPaused = true;
      if (!(await started.pause())) await worker.kill();
      const moved = await guard.moveAsidePlanted();
      const notes = moved.map(movedNote);
      const refused = way?.takeRefused() ?? [];
      if (refused.length === 0) return notes;
      return [
        ...notes,
        `Not among the hosts that the setting "python.network" allows, and so refused: ${refused.join(', ')}.`,
      ];
    },
  };
}

function movedNote({ from, to }: MovedEntry): string {
  const made = `The code made ${plainName(from)} in the workspace, which other programs would obey;`;
  if (to === undefined) return `${made} it could not be moved away: REMOVE IT before you use git or an editor there.`;
  return `${made} it was moved to ${plainName(to)}. Use the shell to make repositories.`;
}

function linkTo(sandboxed: SandboxedProcess): WorkerLink {
  const output = sandboxed.stdout;
  let onMessage: (message: unknown) => void = () => undefined;
  sandboxed.control.on(
    'data',
    createFrameReader(
      (message) => onMessage(message),
      () => void sandboxed.kill(),
    ),
  );
  const drained = finished(output, { signal: undefined }).catch(() => undefined);
  const closed = sandboxed.gone.then(async ({ outOfMemory }) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(resolve, DRAIN_MS, undefined);
    await Promise.race([drained, promise]);
    clearTimeout(timer);
    return { outOfMemory };
  });
  return {
    send: (message) => void sandboxed.control.write(encodeFrame(message)),
    onMessage: (listener) => void (onMessage = listener),
    onOutput(listener) {
      output.on('data', listener);
      // Before the worker has joined the two, only bubblewrap and a failing start write here.
      sandboxed.stderr.on('data', listener);
    },
    closed,
    async kill() {
      await sandboxed.kill();
      await closed;
    },
    usage: sandboxed.usage,
  };
}
