import { spawn } from 'node-pty';
import {
  createFamilyMark,
  endFamily,
  FAMILY_VARIABLE,
  processIdentity,
  type ProcessFamily,
} from '../platform/index.ts';
import type { Terminal, TerminalOptions } from './contract.ts';
import { findForeground, signalForeground } from './foreground.ts';
import { askTerminal } from './terminal-echo.ts';
import { createTerminalInput } from './terminal-input.ts';

/**
 * Starts a program on a pseudo terminal of its own: leader of its own session and process group, raw bytes out.
 * Whoever opens it ends it with `kill()`.
 * @throws Error when there is no terminal left to open. A program that is missing shows as an exit.
 */
export function openTerminal({ argv, cwd, env, columns, rows }: TerminalOptions): Terminal {
  const mark = env[FAMILY_VARIABLE] ?? createFamilyMark();
  const [program, ...args] = argv;
  const pty = spawn(program, args, {
    cwd,
    env: { ...env, [FAMILY_VARIABLE]: mark },
    cols: columns,
    rows,
    name: env['TERM'] ?? 'xterm-256color',
    // Bytes, not text: characters may be split between chunks.
    encoding: null,
  });
  const family: ProcessFamily = { root: processIdentity(pty.pid), mark };
  const input = createTerminalInput(pty);
  let exited = false;
  const ended = new Promise<void>((resolve) => {
    pty.onExit(() => {
      exited = true;
      input[Symbol.dispose]();
      resolve();
    });
  });

  return {
    pid: pty.pid,
    onData(listener) {
      // Typed as text, yet with encoding null node-pty hands out buffers.
      pty.onData((data: string | Uint8Array) => listener(typeof data === 'string' ? Buffer.from(data) : data));
    },
    onExit(listener) {
      pty.onExit(({ exitCode, signal }) => listener({ code: exitCode, signal: signal === 0 ? undefined : signal }));
    },
    write: (data) => input.write(data),
    typedText: () => askTerminal(exited ? undefined : input.device),
    resize(newColumns, newRows) {
      if (!exited) pty.resize(newColumns, newRows);
    },
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    foreground: () => (exited ? undefined : findForeground(pty.pid)),
    signalForeground: (signal) => !exited && signalForeground(pty.pid, signal),
    async kill() {
      await endFamily(family);
      // What a paused reader still holds would keep the end from being seen.
      pty.resume();
      if (!exited) await ended;
    },
  };
}
