import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CausewayError, type TypedText } from '../../../src-shared/index.ts';
import type { Foreground, Operator } from '../../operator/index.ts';
import { createFamilyMark, createRunFolder, FAMILY_VARIABLE } from '../../platform/index.ts';
import type { OutputStore } from '../../store/index.ts';
import { createCapture } from './capture.ts';
import { createChallenge, newSecret } from './challenge.ts';
import { createCommandStream } from './command-stream.ts';
import type { Confinement, SandboxView } from './confinement.ts';
import { createExecution, type Execution } from './execution.ts';
import { INTERRUPT } from './keys.ts';
import { COLUMNS, ROWS } from './render.ts';
import { createRewrittenFile } from './rewritten-file.ts';
import { commandFile, shellScript, triggerLine } from './shell-script.ts';

/** A shell that does not come up in this time never will, in milliseconds. */
const START_DEADLINE_MS = 10_000;
/** What background jobs wrote between two commands: bytes of head and tail that are kept in memory. */
const BETWEEN_BYTES = 4096;
/** When bash says that its prompt is back, it needs a moment to get there: pauses between looks, in milliseconds. */
const PROMPT_LOOKS_MS = [1, 4, 10, 25, 60, 100];

export interface ShellOptions {
  operator: Operator;
  outputs: OutputStore;
  /** Folder for the shell's private files and its record. */
  runDir: string;
  /** The bash: a path, or a name to be found on the PATH. */
  program: string;
  /** Whole environment. */
  env: Record<string, string>;
  directory: string;
  confinement: Confinement;
  /** State of another shell to take over; see `saveStateCommand`. */
  state?: string | undefined;
}

/** One bash on a terminal of its own. It runs one command at a time. */
export interface Shell extends AsyncDisposable {
  /** Its private folder. */
  readonly folder: string;
  /** A folder in there that the shell itself may write to. */
  readonly exchange: string;
  /** What keeps it in. */
  readonly sandbox: SandboxView;
  /** Hosts that it asked for in vain since the last time. */
  takeRefusedHosts(): string[];
  /** Where it is, as of the last command's end. */
  readonly directory: string;
  /** How it ended; undefined while it lives. */
  readonly ending: { exitCode: number } | undefined;
  /**
   * Starts a command. `keepBytes` is how much head and tail of its output stay in memory; `announced` makes `entered` settle.
   */
  run(command: string, options: { keepBytes: number; announced?: boolean }): Execution;
  /** Types into whatever runs. */
  type(text: string): void;
  /** For the running command; the next one has the usual size again. */
  resize(columns: number, rows: number): void;
  /** What the terminal does with typed text now. */
  typedText(): Promise<TypedText>;
  foreground(): Foreground | undefined;
  signalForeground(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): boolean;
  /** True once the shell is at its prompt and listens; false when it does not answer. At once when nothing was typed. */
  settle(): Promise<boolean>;
}

/**
 * Starts bash and waits until it is at its prompt.
 * @throws CausewayError `unavailable` when there is no bash or it does not come up.
 */
export async function startShell(options: ShellOptions): Promise<Shell> {
  const { operator, outputs, runDir, program, env, directory, state, confinement } = options;
  const nonce = randomBytes(16).toString('hex');
  const familyMark = createFamilyMark();
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(createRunFolder(runDir, 'shell', familyMark));
  const rcFile = path.join(folder.path, 'rc');
  const file = cleanup.use(createRewrittenFile(path.join(folder.path, 'command')));
  const name = path.basename(folder.path);
  const stateFile = state === undefined ? undefined : path.join(folder.path, 'state');
  if (stateFile !== undefined) writeFileSync(stateFile, state ?? '', { mode: 0o600, encoding: 'latin1' });
  writeFileSync(rcFile, shellScript({ nonce, familyMark, stateFile }), { mode: 0o600 });
  const exchange = makeFolder(folder.path, 'exchange');
  const readOnly = [rcFile, file.path, ...(stateFile === undefined ? [] : [stateFile])];
  const enclosed = await confinement.enclose({
    folder: makeFolder(folder.path, 'launch'),
    shared: [
      ...readOnly.map((one) => ({ path: one, access: 'read-only' as const })),
      { path: exchange, access: 'read-write' },
    ],
    workspace: operator.workspace,
    env: { ...env, [FAMILY_VARIABLE]: familyMark },
  });
  const { proxy } = enclosed;
  if (proxy) cleanup.use(proxy);
  const terminal = operator.openTerminal({
    argv: [...(enclosed.starter ?? []), program, '--noprofile', '--noediting', '--rcfile', rcFile, '-i'],
    cwd: directory,
    env: enclosed.env,
    ...(enclosed.sandbox && { sandbox: enclosed.sandbox }),
    columns: COLUMNS,
    rows: ROWS,
  });
  cleanup.defer(() => terminal.kill());
  folder.setRoot(terminal.pid);

  const between = createCapture({ outputs, keepBytes: BETWEEN_BYTES });
  cleanup.defer(() => between.discard());
  const ready = Promise.withResolvers<boolean>();
  let where = directory;
  let ending: { exitCode: number } | undefined;
  let number = 0;
  let unsettled = false;
  let resized = false;
  const nextNumber = (): number => (number += 1);

  const challenge = createChallenge({ type: (line) => terminal.write(line), nextNumber });
  const stream = createCommandStream({
    ...{ nonce, name, between },
    listener: {
      ready: () => ready.resolve(true),
      prompt: (execution, how) => void confirmPrompt(execution, how),
      sync: challenge.answer,
      directory: (there) => void (where = there),
    },
  });
  terminal.onData(stream.push);
  terminal.onExit(({ code, signal }) => {
    ending = { exitCode: signal === undefined ? code : 128 + signal };
    stream.complete({ exitCode: ending.exitCode, shellEnded: true, started: stream.started });
    challenge.end();
    ready.resolve(false);
  });

  async function listens(): Promise<boolean> {
    stream.hush();
    const answered = await challenge.ask();
    stream.unhush();
    return answered;
  }

  /** A command can say so too: it is believed only when bash itself is found reading, and answers. */
  async function confirmPrompt(execution: Execution, how: { status: number; directory: string }): Promise<void> {
    for (const pause of PROMPT_LOOKS_MS) {
      await delay(pause);
      if (stream.current !== execution) return;
      if (!mayBeAtPrompt()) continue;
      if (!(await listens()) || stream.current !== execution) return;
      where = how.directory;
      stream.complete({ exitCode: how.status, shellEnded: false, started: true });
      return;
    }
  }

  /** Where the platform does not tell, only asking helps. */
  function mayBeAtPrompt(): boolean {
    const foreground = terminal.foreground();
    return foreground === undefined || (foreground.own && foreground.reads === 'yes');
  }

  const startTimer = setTimeout(() => ready.resolve(false), START_DEADLINE_MS);
  const up = await ready.promise;
  clearTimeout(startTimer);
  if (!up) {
    const said = Buffer.from(between.take().head).toString().trim();
    throw new CausewayError('unavailable', `The shell did not start in ${directory}${said ? ` (${said})` : ''}.`, {
      hint: 'Make sure that bash is installed and can be found on the PATH, then try again.',
    });
  }
  const ends = cleanup.move();

  return {
    folder: folder.path,
    exchange,
    sandbox: confinement.view,
    takeRefusedHosts: () => proxy?.takeRefused() ?? [],
    get directory() {
      return where;
    },
    get ending() {
      return ending;
    },
    run(command, { keepBytes, announced }) {
      if (stream.current) throw new CausewayError('conflict', 'The shell still runs a command.');
      const secret = newSecret();
      const execution = createExecution({
        ...{ command, number: nextNumber() },
        capture: createCapture({ outputs, keepBytes }),
      });
      file.write(commandFile(execution.number, command, announced));
      stream.begin(execution, secret);
      if (resized) terminal.resize(COLUMNS, ROWS);
      resized = false;
      if (ending) stream.complete({ exitCode: ending.exitCode, shellEnded: true, started: false });
      else terminal.write(triggerLine(execution.number, file.path, secret));
      return execution;
    },
    type(text) {
      // What the program does not read would stand in front of the next trigger line; Ctrl-C may take that line away.
      unsettled = true;
      stream.typed(text);
      const { current } = stream;
      current?.touch();
      if (!current || stream.started || text === INTERRUPT) return terminal.write(text);
      // Its echo would stand before the output it belongs to.
      void current.begun.then(() => terminal.write(text));
    },
    resize(columns, rows) {
      resized = true;
      terminal.resize(columns, rows);
    },
    typedText: terminal.typedText,
    foreground: () => terminal.foreground(),
    signalForeground: (signal) => terminal.signalForeground(signal),
    async settle() {
      if (unsettled && !ending && (await listens())) {
        unsettled = false;
        // The prompt is back although the command never reported its end: its PROMPT_COMMAND was not ours.
        stream.complete({ exitCode: 130, shellEnded: false, started: true });
      }
      return !unsettled && !ending;
    },
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

function makeFolder(parent: string, name: string): string {
  const folder = path.join(parent, name);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}
