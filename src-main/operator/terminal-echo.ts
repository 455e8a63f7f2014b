import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TypedText } from '../../src-shared/index.ts';

const TIMEOUT_MS = 1000;

/**
 * What a terminal does with what is typed, from its settings (termios(3)) as `stty` tells them. `device` is its name, such as
 * /dev/pts/3. Whatever cannot be found out is `hidden`.
 */
export async function askTerminal(device: string | undefined): Promise<TypedText> {
  if (device === undefined) return 'hidden';
  const option = process.platform === 'linux' ? '-F' : '-f';
  try {
    const { stdout } = await promisify(execFile)('stty', [option, device, '-a'], {
      timeout: TIMEOUT_MS,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    });
    return readSettings(stdout);
  } catch {
    return 'hidden';
  }
}

/** From the output of `stty -a`: `echo` or `-echo`, `icanon` or `-icanon`. */
export function readSettings(text: string): TypedText {
  const words = new Set(text.split(/[\s;]+/));
  if (words.has('echo')) return 'shown';
  return words.has('-echo') && words.has('-icanon') ? 'program' : 'hidden';
}
