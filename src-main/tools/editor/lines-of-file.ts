import type { FileOperator } from '../../operator/index.ts';
import { countLineFeeds, lineEnd, type TextEncoding } from '../../platform/index.ts';

/** Bytes read at a time. Even, so that UTF-16 units stay whole. */
const CHUNK_BYTES = 4 * 1024 * 1024;
/** The most bytes of lines that one view gives. */
const MAX_BYTES = 1024 * 1024;

/** A text file that is read piece by piece, however large it is. */
export interface LineSource {
  files: FileOperator;
  path: string;
  encoding: TextEncoding;
  /** Bytes. */
  size: number;
  /** Where the text begins, behind a byte order mark. */
  start: number;
  signal: AbortSignal;
}

/** A run of lines. `first` is the number of the first one. */
export interface LineWindow {
  bytes: Buffer;
  first: number;
  /** True when lines follow that were not asked for or left no room. */
  more: boolean;
  /** True when the window ends before the lines asked for do. */
  cut: boolean;
  /** The number of lines of the file, when it was read to its end. */
  total?: number;
}

/** Lines in the whole file; a last line without line end counts. */
export async function countLines(source: LineSource): Promise<number> {
  if (source.size <= source.start) return 0;
  let count = 0;
  for await (const { bytes } of chunks(source)) count += countLineFeeds(bytes, source.encoding);
  return count + ((await endsWithLineFeed(source)) ? 0 : 1);
}

/**
 * The lines `first` to `last` (Infinity: to the end). Reads no further than it must, and holds one chunk and the window.
 * Undefined when the file has fewer than `first` lines.
 */
export async function readLines(source: LineSource, first: number, last: number): Promise<LineWindow | undefined> {
  const pieces: Buffer[] = [];
  let collected = 0;
  /** The line that the next chunk's first byte is in. */
  let line = 1;
  for await (const { bytes, offset } of chunks(source)) {
    const feeds = countLineFeeds(bytes, source.encoding);
    if (line + feeds < first) {
      line += feeds;
      continue;
    }
    const from = line >= first ? 0 : lineEnd(bytes, source.encoding, 0, first - line - 1);
    const to = line + feeds > last ? lineEnd(bytes, source.encoding, 0, last - line) : bytes.length;
    const piece = bytes.subarray(from, Math.min(to, from + MAX_BYTES - collected));
    pieces.push(Buffer.from(piece));
    collected += piece.length;
    const cut = piece.length < to - from;
    const more = offset + from + piece.length < source.size;
    if (cut || line + feeds > last) {
      return { bytes: Buffer.concat(pieces), first, more, cut, ...(!more && { total: last }) };
    }
    line += feeds;
  }
  if (collected === 0) return undefined;
  const window = Buffer.concat(pieces);
  const open = (await endsWithLineFeed(source)) ? 0 : 1;
  return { bytes: window, first, more: false, cut: false, total: line - 1 + open };
}

async function* chunks({ files, path, start, size, signal }: LineSource): AsyncGenerator<{
  bytes: Uint8Array;
  offset: number;
}> {
  for (let offset = start; offset < size; offset += CHUNK_BYTES) {
    signal.throwIfAborted();
    const bytes = await files.read(path, { offset, length: CHUNK_BYTES });
    if (bytes.length === 0) return;
    yield { bytes, offset };
  }
}

async function endsWithLineFeed({ files, path, encoding, size, start }: LineSource): Promise<boolean> {
  const length = Math.min(2, size - start);
  const tail = await files.read(path, { offset: size - length, length });
  return countLineFeeds(tail, encoding, encoding.startsWith('utf16') ? 0 : tail.length - 1) > 0;
}
