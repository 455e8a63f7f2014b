import { spawn } from 'node-pty';
import {
  createFamilyMark,
  endFamily,
  FAMILY_VARIABLE,
  processIdentity,
  type ProcessFamily,
} from '../platform/index.ts';
import type { Terminal, TerminalOptions } from './contract.ts';
import { findForeground, grandchildOf, signalForeground } from './foreground.ts';
import { askTerminal } from './terminal-echo.ts';
import { createTerminalInput } from './terminal-input.ts';

/**
 * Starts a program on a pseudo terminal of its own: leader of its own session and process group, raw bytes out.
 * Whoever opens it ends it with `kill()`.
 * @throws Error when there is no terminal left to open. A program that is missing shows as an exit.
 */
export function openTerminal({ sandbox, columns, rows, ...wanted }: TerminalOptions): Terminal {
  const mark = wanted.env[FAMILY_VARIABLE] ?? createFamilyMark();
  const { argv, env } = sandbox ? sandbox.enclosure.enclose({ ...wanted, folder: sandbox.folder }) : wanted;
  const [program, ...args] = argv;
  const pty = spawn(program, args, {
    cwd: wanted.cwd,
    env: { ...env, [FAMILY_VARIABLE]: mark },
    cols: columns,
    rows,
    name: env['TERM'] ?? 'xterm-256color',
    // Bytes, not text: characters may be split between chunks.
    encoding: null,
  });
  // A sandbox's keeper stays outside of it; what leads the terminal is inside.
  let inner: number | undefined;
  const leader = (): number | undefined => (sandbox ? (inner ??= grandchildOf(pty.pid)) : pty.pid);
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
    foreground() {
      const pid = exited ? undefined : leader();
      return pid === undefined ? undefined : findForeground(pid);
    },
    signalForeground(signal) {
      const pid = exited ? undefined : leader();
      return pid !== undefined && signalForeground(pid, signal);
    },
    async kill() {
      await endFamily(family);
      // What a paused reader still holds would keep the end from being seen.
      pty.resume();
      if (!exited) await ended;
    },
  };
}
