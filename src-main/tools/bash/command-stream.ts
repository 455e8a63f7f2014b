import type { Capture } from './capture.ts';
import type { Completion, Execution } from './execution.ts';
import { INTERRUPT } from './keys.ts';
import { createMarkParser, type Mark } from './mark-parser.ts';
import { withoutSyncNoise, withoutTriggerNoise } from './trigger-noise.ts';

/** More than this is not the echo of a line of ours, in bytes. */
const MOST_NOISE = 64 * 1024;

/** What the stream reports beside the output of commands. */
export interface StreamListener {
  /** bash has read its rc file and is at the prompt. */
  ready(): void;
  /** bash says that the prompt is back although the command did not report its end. */
  prompt(execution: Execution, how: { status: number; directory: string }): void;
  sync(number: number, secret: string): void;
  /** bash is, or leaves, in this directory. */
  directory(directory: string): void;
}

/** Takes a shell's terminal apart: output of commands, of background jobs between them, and what only our own lines cause. */
export interface CommandStream {
  readonly current: Execution | undefined;
  /** False while bash has not begun to read the current command. */
  readonly started: boolean;
  push(bytes: Uint8Array): void;
  /** A command is being typed; its end counts with this secret only. */
  begin(execution: Execution, secret: string): void;
  complete(completion: Completion): void;
  /** What comes from now on is caused by what was typed, or of background jobs, until `unhush`. */
  hush(): void;
  unhush(): void;
  /** Something was typed. The echo of Ctrl-C is not output, nor is that of what nobody reads. */
  typed(text: string): void;
}

/** `name` is part of the names of the shell's own files; `between` gets what no command wrote. */
export function createCommandStream(parts: {
  nonce: string;
  name: string;
  between: Capture;
  listener: StreamListener;
}): CommandStream {
  const { nonce, name, between, listener } = parts;
  let current: Execution | undefined;
  let currentSecret = '';
  /** What bash reported of the current command. */
  let progress: 'typed' | 'started' | 'entered' = 'typed';
  let noise: Uint8Array[] | undefined;
  let noiseBytes = 0;
  let exitWordNext = false;
  let interrupts = 0;
  let hasTyped = false;

  function onText(bytes: Uint8Array): void {
    let text = bytes;
    if (exitWordNext) text = withoutExitWord(text);
    if (interrupts > 0) text = withoutInterrupt(text);
    exitWordNext = false;
    if (noise) addNoise(text);
    else (current ?? between).write(text);
  }

  function withoutInterrupt(bytes: Uint8Array): Uint8Array {
    const at = bytes.indexOf(INTERRUPT.charCodeAt(0));
    if (at < 0) return bytes;
    interrupts -= 1;
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
  }

  function addNoise(text: Uint8Array): void {
    noise?.push(text);
    noiseBytes += text.length;
    if (noiseBytes > MOST_NOISE) endNoise(withoutSyncNoise, current ?? between);
  }

  function beginNoise(): void {
    noise ??= [];
  }

  function endNoise(without: typeof withoutTriggerNoise, to: { write(bytes: Uint8Array): void }): void {
    if (!noise) return;
    const early = Buffer.concat(noise);
    noise = undefined;
    noiseBytes = 0;
    const left = without(early, name);
    if (left.length > 0) to.write(left);
  }

  /** What arrived before is of background jobs. */
  function startOutput(execution: Execution): void {
    if (progress !== 'typed') return;
    progress = 'started';
    endNoise(withoutTriggerNoise, between);
    execution.begin(between.take());
  }

  /** What arrived since the start is what bash said while it read the command's first line. */
  function enter(execution: Execution): void {
    if (progress !== 'started') return;
    progress = 'entered';
    const said = withoutTriggerNoise(execution.take().head, name);
    if (said.length > 0) execution.write(said);
    execution.enter();
  }

  function complete(completion: Completion): void {
    const execution = current;
    if (!execution) return;
    endNoise(withoutSyncNoise, execution);
    current = undefined;
    currentSecret = '';
    if (hasTyped) beginNoise();
    execution.complete(completion);
  }

  function onMark(mark: Mark): void {
    switch (mark.kind) {
      case 'start':
        if (current?.number === mark.number) startOutput(current);
        break;
      case 'entered':
        if (current?.number === mark.number) enter(current);
        break;
      case 'end':
        if (current?.number !== mark.number || mark.secret !== currentSecret) break;
        listener.directory(mark.directory);
        complete({ exitCode: mark.status, shellEnded: false, started: true });
        break;
      case 'prompt':
        if (mark.number === 0) listener.ready();
        else if (current?.number === mark.number) listener.prompt(current, mark);
        break;
      case 'sync':
        listener.sync(mark.number, mark.secret);
        break;
      case 'exit-word':
        exitWordNext = true;
        break;
      case 'leaving':
        listener.directory(mark.directory);
        break;
    }
  }

  const parser = createMarkParser(nonce, { text: onText, mark: onMark });
  return {
    get current() {
      return current;
    },
    get started() {
      return progress !== 'typed';
    },
    push: (bytes) => parser.push(bytes),
    begin(execution, secret) {
      current = execution;
      currentSecret = secret;
      progress = 'typed';
      interrupts = 0;
      beginNoise();
    },
    complete,
    hush: beginNoise,
    unhush() {
      hasTyped = false;
      endNoise(withoutSyncNoise, current ?? between);
    },
    typed(text) {
      hasTyped = true;
      if (text === INTERRUPT) interrupts += 1;
    },
  };
}

/** bash says "exit" when an interactive shell is left; nobody asked it to. */
function withoutExitWord(bytes: Uint8Array): Uint8Array {
  const word = /^exit\r?\n/.exec(Buffer.from(bytes.subarray(0, 6)).toString('latin1'))?.[0];
  return bytes.subarray(word?.length ?? 0);
}
