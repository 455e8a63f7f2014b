/** A line of ours as the terminal echoes it; a background job may have left a line unfinished before it. */
// eslint-disable-next-line no-control-regex -- it begins with Ctrl-U
const ECHO = /(?:\x15?: ; )?\{ \\__causeway_(?:start|sync) [^\n]*2>&1\r?\n/g;

/**
 * What is left of the bytes around a trigger line without what the terminal echoes of it (`stty echo`) and bash traces of it
 * (`set -x`). `file` is the command file that trigger lines name.
 */
export function withoutTriggerNoise(bytes: Uint8Array, file: string): Uint8Array {
  return withoutLines(bytes, (line) => line.includes('__causeway_') || line.includes(file) || /^\++ :\s*$/.test(line));
}

/**
 * The same for the bytes while bash is made to listen again: also without what it says about the rest of a line that Ctrl-C
 * cut, and about typed text that no program read.
 */
export function withoutSyncNoise(bytes: Uint8Array, file: string): Uint8Array {
  return withoutLines(withoutTriggerNoise(bytes, file), (line) => /^(bash: .*)?\s*$/.test(line));
}

function withoutLines(bytes: Uint8Array, isNoise: (line: string) => boolean): Uint8Array {
  if (bytes.length === 0) return bytes;
  // Decoded byte by byte, so that what stays is unchanged; only ASCII is looked for.
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .replace(ECHO, '')
    .split(/(?<=\n)/);
  return Buffer.from(lines.filter((line) => !isNoise(line)).join(''), 'latin1');
}
