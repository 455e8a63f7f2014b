/**
 * Takes the lines about the worker's own files out of the dump that Python writes when its time is up and nothing else is heard
 * (`  File "/run/causeway/worker.py", line 1 in serve`, in Python's tracebacks with a comma). Only a line that may be one is held back.
 */
export interface FrameRemover {
  push(bytes: Uint8Array): Uint8Array;
  /** What was held back. */
  rest(): Uint8Array;
}

const NEWLINE = 0x0a;
/** No such line is longer. */
const LONGEST = 300;

/** Without a folder everything is passed on as it is. */
export function createFrameRemover(folder: string | undefined): FrameRemover {
  if (folder === undefined) return { push: (bytes) => bytes, rest: () => new Uint8Array() };
  const start = Buffer.from(`  File "${folder}/`);
  let line = Buffer.alloc(0);
  let isInside = false;

  const mayBe = (bytes: Uint8Array): boolean => {
    const length = Math.min(bytes.length, start.length);
    return bytes.length <= LONGEST && start.subarray(0, length).equals(bytes.subarray(0, length));
  };
  const isFrame = (bytes: Buffer): boolean =>
    bytes.length > start.length && mayBe(bytes) && /\.py", line \d+ in \S+\n$/.test(bytes.toString('latin1'));

  return {
    push(bytes) {
      const kept: Uint8Array[] = [];
      for (let at = 0; at < bytes.length;) {
        const end = bytes.indexOf(NEWLINE, at) + 1 || bytes.length;
        const piece = bytes.subarray(at, end);
        const isWhole = bytes[end - 1] === NEWLINE;
        at = end;
        if (isInside) {
          kept.push(piece);
          isInside = !isWhole;
          continue;
        }
        line = Buffer.concat([line, piece]);
        if (!isWhole && mayBe(line)) continue;
        if (!isWhole || !isFrame(line)) kept.push(line);
        isInside = !isWhole;
        line = Buffer.alloc(0);
      }
      return kept.length === 1 && kept[0] ? kept[0] : Buffer.concat(kept);
    },
    rest() {
      const bytes = line;
      line = Buffer.alloc(0);
      return bytes;
    },
  };
}
