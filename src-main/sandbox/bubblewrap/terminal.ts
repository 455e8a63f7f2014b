import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { EnclosedProgram } from '../contract.ts';

const ARGUMENTS_FD = 3;
export const TERMINAL_FILTER_FD = 4;

/**
 * A constant script. Terminals' own descriptors have no close-on-exec mark: without the loop a sandbox would hold those of every
 * other shell, and could type into one that has no sandbox.
 */
const LAUNCH = `
for fd in /proc/self/fd/*; do
  fd=\${fd##*/}
  if (( fd > 2 )); then exec {fd}>&-; fi
done
exec ${ARGUMENTS_FD}<"$1/arguments" ${TERMINAL_FILTER_FD}<"$1/filter"
shift
exec "$@"
`;

/** The policy's files as files of the host, to be mounted from `folder`. */
export function placeFiles(folder: string, files: Readonly<Record<string, string>>): Map<string, string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return new Map(
    Object.entries(files).map(([inside, content], index) => {
      const file = path.join(folder, `file-${index}`);
      writeFileSync(file, content, { mode: 0o600 });
      return [inside, file];
    }),
  );
}

/**
 * Bubblewrap as a program to start on a terminal, where no descriptors can be handed over: they are opened from `folder`, and
 * no path shows on a command line that the sandbox can read.
 */
export function encloseWithBubblewrap(parts: {
  program: string;
  argv: readonly [string, ...string[]];
  args: readonly string[];
  filter: Uint8Array;
  folder: string;
  env: Record<string, string>;
}): EnclosedProgram {
  const { program, argv, args, filter, folder, env } = parts;
  writeFileSync(path.join(folder, 'arguments'), args.map((arg) => `${arg}\0`).join(''), { mode: 0o600 });
  writeFileSync(path.join(folder, 'filter'), filter, { mode: 0o600 });
  const bubblewrap = [program, '--args', String(ARGUMENTS_FD), '--', ...argv];
  return { argv: ['bash', '--noprofile', '--norc', '-c', LAUNCH, 'launch', folder, ...bubblewrap], env };
}
