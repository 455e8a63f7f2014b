/**
 * What is left of the bytes between typing a trigger line and its command's start, when the terminal echoes (`stty echo`) or
 * bash traces (`set -x`): output of background jobs. `file` is the command file that trigger lines name.
 */
export function withoutTriggerNoise(bytes: Uint8Array, file: string): Uint8Array {
  if (bytes.length === 0) return bytes;
  const text = Buffer.from(bytes).toString('latin1');
  const name = Buffer.from(file).toString('latin1');
  const kept = text
    .split(/(?<=\n)/)
    .filter((line) => !line.includes('__causeway_') && !line.includes(name) && !/^\++ :\s*$/.test(line));
  return Buffer.from(kept.join(''), 'latin1');
}
