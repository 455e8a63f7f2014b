/** What bash reports; see shell-script.ts. Directories are decoded. */
export type Mark =
  | { kind: 'start' | 'entered'; number: number }
  | { kind: 'end'; number: number; secret: string; status: number; directory: string }
  | { kind: 'prompt'; number: number; status: number; directory: string }
  | { kind: 'sync'; number: number; secret: string }
  | { kind: 'leaving'; status: number; directory: string }
  | { kind: 'exit-word' };

/** Gets everything in the order in which it came. */
export interface MarkListener {
  text(bytes: Uint8Array): void;
  mark(mark: Mark): void;
}

/** Longest mark that is waited for, in bytes: a path (PATH_MAX 4096), escaped threefold, and its frame. */
const LONGEST_MARK = 16 * 1024;
const BELL = 7;
const ESCAPE = 27;

/**
 * Separates marks that carry the nonce from everything else, wherever the stream is cut into chunks. Other sequences, also
 * marks with another nonce, are text.
 */
export function createMarkParser(nonce: string, listener: MarkListener): { push(chunk: Uint8Array): void } {
  const opening = Buffer.from(`\x1b]633;${nonce};`);
  let held = Buffer.alloc(0);

  function emit(bytes: Buffer): void {
    if (bytes.length > 0) listener.text(bytes);
  }

  /** Where a mark may begin that the chunk does not hold whole; its length when none. */
  function possibleStart(bytes: Buffer): number {
    const from = Math.max(0, bytes.length - opening.length + 1);
    for (let at = bytes.indexOf(ESCAPE, from); at >= 0; at = bytes.indexOf(ESCAPE, at + 1)) {
      if (opening.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return at;
    }
    return bytes.length;
  }

  return {
    push(chunk) {
      const arrived = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let rest = held.length > 0 ? Buffer.concat([held, arrived]) : arrived;
      held = Buffer.alloc(0);
      for (let start = rest.indexOf(opening); start >= 0; start = rest.indexOf(opening)) {
        const end = rest.indexOf(BELL, start);
        if (end < 0 && rest.length - start < LONGEST_MARK) {
          emit(rest.subarray(0, start));
          held = Buffer.from(rest.subarray(start));
          return;
        }
        const mark = end < 0 ? undefined : readMark(rest.toString('utf8', start + opening.length, end));
        const after = mark ? end + 1 : start + opening.length;
        emit(rest.subarray(0, mark ? start : after));
        if (mark) listener.mark(mark);
        rest = rest.subarray(after);
      }
      const possible = possibleStart(rest);
      emit(rest.subarray(0, possible));
      held = Buffer.from(rest.subarray(possible));
    },
  };
}

function readMark(body: string): Mark | undefined {
  const [kind, ...fields] = body.split(';');
  switch (kind) {
    case 'C':
      return { kind: 'start', number: Number(fields[0]) };
    case 'B':
      return { kind: 'entered', number: Number(fields[0]) };
    case 'D':
      return {
        kind: 'end',
        number: Number(fields[0]),
        secret: fields[1] ?? '',
        status: Number(fields[2]),
        directory: decodeDirectory(fields.slice(3)),
      };
    case 'P':
      return {
        kind: 'prompt',
        number: Number(fields[0]),
        status: Number(fields[1]),
        directory: decodeDirectory(fields.slice(2)),
      };
    case 'S':
      return { kind: 'sync', number: Number(fields[0]), secret: fields[1] ?? '' };
    case 'X':
      return { kind: 'leaving', status: Number(fields[0]), directory: decodeDirectory(fields.slice(1)) };
    case 'E':
      return { kind: 'exit-word' };
    default:
      return undefined;
  }
}

/** The script escapes four bytes; a directory may hold semicolons of its own. */
function decodeDirectory(fields: string[]): string {
  return fields.join(';').replace(/%(25|07|1B|0A)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
