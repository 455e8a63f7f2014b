import type { OutputWriter } from '../store/index.ts';

/** Share of a cap that goes to the beginning; the rest goes to the end, where errors and totals stand. */
export const HEAD_SHARE = 0.6;

/** At most `size` bytes from the beginning, without half a character. */
export function headOf(text: string, size: number): string {
  return wholeCharacters(Buffer.from(text).subarray(0, Math.max(0, size)));
}

/** At most `size` bytes from the end, without half a character. */
export function tailOf(text: string, size: number): string {
  const bytes = Buffer.from(text);
  return wholeCharacters(bytes.subarray(Math.max(0, bytes.length - size)));
}

/** Where the whole of an output is kept, and why not all of it when that is so. */
export type Kept = Pick<OutputWriter, 'handle' | 'problem'>;

/** The line that stands where something was left out, for people and models. */
export function leftOutMarker(bytes: number, { handle, problem }: Kept): string {
  const where = `read them with read_output, handle ${handle}`;
  return problem === undefined
    ? `[… ${bytes} bytes left out; ${where} …]`
    : `[… ${bytes} bytes left out, and not all of them kept: ${problem}. What is kept: ${where} …]`;
}

/** Decoded without the halves of a character at the ends. */
export function wholeCharacters(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFFFD+|\uFFFD+$/g, '');
}
