import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../../src-shared/index.ts';
import type { Foreground, Operator } from '../../operator/index.ts';
import { createFamilyMark, createRunFolder, FAMILY_VARIABLE } from '../../platform/index.ts';
import type { OutputStore } from '../../store/index.ts';
import { createCapture } from './capture.ts';
import { createExecution, type Execution } from './execution.ts';
import { createMarkParser, type Mark } from './mark-parser.ts';
import { COLUMNS, ROWS } from './render.ts';
import { createRewrittenFile } from './rewritten-file.ts';
import { commandFile, shellScript, syncLine, triggerLine } from './shell-script.ts';
import { withoutSyncNoise, withoutTriggerNoise } from './trigger-noise.ts';

/** A shell that does not come up in this time never will, in milliseconds. */
const START_DEADLINE_MS = 10_000;
/** What background jobs wrote between two commands: bytes of head and tail that are kept in memory. */
const BETWEEN_BYTES = 4096;
/** Tries to find out whether the shell listens again, and how long each waits, in milliseconds. */
const SYNC_TRIES = 5;
const SYNC_WAIT_MS = 200;

export interface ShellOptions {
  operator: Operator;
  outputs: OutputStore;
  /** Folder for the shell's private files and its record. */
  runDir: string;
  /** Whole environment. */
  env: Record<string, string>;
  directory: string;
  /** State of another shell to take over; see `saveStateCommand`. */
  stateFile?: string | undefined;
}

/** One bash on a terminal of its own. It runs one command at a time. */
export interface Shell extends AsyncDisposable {
  /** Its private folder. */
  readonly folder: string;
  /** Where it is, as of the last command's end. */
  readonly directory: string;
  /** How it ended; undefined while it lives. */
  readonly ending: { exitCode: number } | undefined;
  /** Starts a command. `keepBytes` is how much head and tail of its output stay in memory. */
  run(command: string, keepBytes: number): Execution;
  /** Types into whatever runs. */
  type(text: string): void;
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
  const { operator, outputs, runDir, env, directory, stateFile } = options;
  const nonce = randomBytes(16).toString('hex');
  const familyMark = createFamilyMark();
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(createRunFolder(runDir, 'shell', familyMark));
  const rcFile = path.join(folder.path, 'rc');
  const file = cleanup.use(createRewrittenFile(path.join(folder.path, 'command')));
  const name = path.basename(folder.path);
  writeFileSync(rcFile, shellScript({ nonce, familyMark, stateFile }), { mode: 0o600 });
  const terminal = operator.openTerminal({
    argv: ['bash', '--noprofile', '--noediting', '--rcfile', rcFile, '-i'],
    cwd: directory,
    env: { ...env, [FAMILY_VARIABLE]: familyMark },
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
  let current: Execution | undefined;
  let number = 0;
  let sync: { number: number; resolve: (answered: boolean) => void } | undefined;
  /** What comes after a line of ours was typed and before bash answers it: noise, or of a background job. */
  let noise: Uint8Array[] | undefined;
  let exitWordNext = false;
  let unsettled = false;

  function onText(bytes: Uint8Array): void {
    const text = exitWordNext ? withoutExitWord(bytes) : bytes;
    exitWordNext = false;
    if (noise) noise.push(text);
    else if (current) current.write(text);
    else between.write(text);
  }

  function onMark(mark: Mark): void {
    if (mark.kind === 'end' || mark.kind === 'prompt' || mark.kind === 'leaving') where = mark.directory;
    switch (mark.kind) {
      case 'start':
        if (current?.number === mark.number) startOutput(current);
        break;
      case 'end':
      case 'prompt':
        if (mark.number === 0) ready.resolve(true);
        if (current?.number === mark.number) complete({ exitCode: mark.status, shellEnded: false, started: true });
        if (sync?.number === mark.number) sync.resolve(true);
        break;
      case 'exit-word':
        exitWordNext = true;
        break;
      case 'leaving':
        break;
    }
  }

  /**
   * Comes twice. What arrived before the first is of background jobs; what arrived between the two is what bash said while it
   * read the command's first line.
   */
  function startOutput(execution: Execution): void {
    if (noise) {
      endNoise(withoutTriggerNoise);
      execution.begin(between.take());
    } else {
      const said = withoutTriggerNoise(execution.take().head, name);
      if (said.length > 0) execution.write(said);
    }
  }

  function endNoise(without: typeof withoutTriggerNoise): void {
    const early = Buffer.concat(noise ?? []);
    noise = undefined;
    between.write(without(early, name));
  }

  function complete(completion: Parameters<Execution['complete']>[0]): void {
    if (noise && current) for (const bytes of noise) current.write(bytes);
    noise = undefined;
    const execution = current;
    current = undefined;
    execution?.complete(completion);
  }

  const parser = createMarkParser(nonce, { text: onText, mark: onMark });
  terminal.onData((bytes) => parser.push(bytes));
  terminal.onExit(({ code, signal }) => {
    ending = { exitCode: signal === undefined ? code : 128 + signal };
    complete({ exitCode: ending.exitCode, shellEnded: true, started: noise === undefined });
    sync?.resolve(false);
    ready.resolve(false);
  });

  async function trySync(): Promise<boolean> {
    number += 1;
    const answer = Promise.withResolvers<boolean>();
    sync = { number, resolve: answer.resolve };
    const timer = setTimeout(() => answer.resolve(false), SYNC_WAIT_MS);
    terminal.write(syncLine(number));
    const answered = await answer.promise;
    clearTimeout(timer);
    sync = undefined;
    return answered;
  }

  const startTimer = setTimeout(() => ready.resolve(false), START_DEADLINE_MS);
  const up = await ready.promise;
  clearTimeout(startTimer);
  if (!up) {
    throw new CausewayError('unavailable', `The shell did not start in ${directory}.`, {
      hint: 'Make sure that bash is installed and can be found on the PATH, then try again.',
    });
  }
  const ends = cleanup.move();

  return {
    folder: folder.path,
    get directory() {
      return where;
    },
    get ending() {
      return ending;
    },
    run(command, keepBytes) {
      if (current) throw new CausewayError('conflict', 'The shell still runs a command.');
      number += 1;
      file.write(commandFile(number, command));
      const execution = createExecution({ command, number, capture: createCapture({ outputs, keepBytes }) });
      current = execution;
      noise = [];
      if (ending) complete({ exitCode: ending.exitCode, shellEnded: true, started: false });
      else terminal.write(triggerLine(number, file.path));
      return execution;
    },
    type(text) {
      // What the program does not read would stand in front of the next trigger line; Ctrl-C may take that line away.
      unsettled = true;
      current?.touch();
      terminal.write(text);
    },
    foreground: () => terminal.foreground(),
    signalForeground: (signal) => terminal.signalForeground(signal),
    async settle() {
      if (!current && unsettled) noise = [];
      for (let tries = 0; unsettled && !ending && tries < SYNC_TRIES; tries += 1) {
        if (!(await trySync())) continue;
        unsettled = false;
        // The prompt is back although the command never reported its end: its PROMPT_COMMAND was not ours.
        if (current) complete({ exitCode: 130, shellEnded: false, started: true });
      }
      if (noise) endNoise(withoutSyncNoise);
      return !unsettled && !ending;
    },
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

/** bash says "exit" when an interactive shell is left; nobody asked it to. */
function withoutExitWord(bytes: Uint8Array): Uint8Array {
  const word = /^exit\r?\n/.exec(Buffer.from(bytes.subarray(0, 6)).toString('latin1'))?.[0];
  return bytes.subarray(word?.length ?? 0);
}
