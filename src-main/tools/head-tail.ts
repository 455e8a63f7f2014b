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

/** The line that stands where something was left out, for people and models. */
export function leftOutMarker(bytes: number, handle: string): string {
  return `[… ${bytes} bytes left out; read them with read_output, handle ${handle} …]`;
}

/** Decoded without the halves of a character at the ends. */
export function wholeCharacters(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFFFD+|\uFFFD+$/g, '');
}
