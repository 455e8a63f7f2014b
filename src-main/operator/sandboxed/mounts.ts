import { readFileSync } from 'node:fs';
import { isInside } from '../../platform/index.ts';

/**
 * Places outside of the workspace that could be written in this mount namespace (proc_pid_mountinfo(5)); none, unless a link that was
 * swapped in while the sandbox was made led a mount astray. Devices do not count: there are no files in them.
 */
export function writableOutside(workspace: string, table = readFileSync('/proc/self/mountinfo', 'latin1')): string[] {
  return table.split('\n').flatMap((line) => {
    const [, , , , place = '', options = ''] = line.split(' ');
    const where = place.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
    const isHarmless = isInside(where, '/dev') || isInside(where, Buffer.from(workspace).toString('latin1'));
    return line === '' || isHarmless || !options.split(',').includes('rw') ? [] : [where];
  });
}
