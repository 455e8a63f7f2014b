import type { Truncation } from '../../src-shared/index.ts';
import type { OutputStore, OutputWriter } from '../store/index.ts';
import { HEAD_SHARE, leftOutMarker, wholeCharacters } from './head-tail.ts';

/** What is kept whole of one output, in bytes. */
const MOST_KEPT = 64 * 1024 * 1024;

/** What a person or a model sees of an output, and where the whole is when that is not all. */
export interface CappedText {
  readonly text: string;
  readonly truncation?: Truncation;
}

/**
 * Bytes of a running program: beginning and end stay in memory, and once there is more than that, the whole goes to the
 * output store (up to 64 MiB). Memory in use never exceeds about twice the cap.
 */
export interface CappedOutput {
  readonly totalBytes: number;
  write(bytes: Uint8Array): void;
  /** The text, with a marker where bytes were left out. Nothing may be written afterwards. */
  end(): CappedText;
}

/** `capBytes` is how many bytes of text reach a model. */
export function createCappedOutput({ outputs, capBytes }: { outputs: OutputStore; capBytes: number }): CappedOutput {
  const headSize = Math.floor(capBytes * HEAD_SHARE);
  const tailSize = capBytes - headSize;
  /** Everything, while it is within the cap; afterwards the head alone. */
  let head: Buffer[] = [];
  let tail: Buffer[] = [];
  let tailBytes = 0;
  let totalBytes = 0;
  let writer: OutputWriter | undefined;

  function spill(last: Buffer): OutputWriter {
    const kept = Buffer.concat([...head, last]);
    const made = outputs.create();
    made.write(kept);
    head = [kept.subarray(0, headSize)];
    pushTail(kept.subarray(headSize));
    return made;
  }

  function pushTail(bytes: Buffer): void {
    tail.push(bytes);
    tailBytes += bytes.length;
    // Joined now and then, not at every write: a flood of small writes stays linear.
    if (tailBytes < 2 * tailSize) return;
    tail = [Buffer.from(Buffer.concat(tail).subarray(-tailSize))];
    tailBytes = tailSize;
  }

  return {
    get totalBytes() {
      return totalBytes;
    },
    write(bytes) {
      const chunk = Buffer.from(bytes);
      totalBytes += chunk.length;
      if (!writer && totalBytes <= capBytes) {
        head.push(chunk);
        return;
      }
      if (!writer) {
        writer = spill(chunk);
        return;
      }
      const room = MOST_KEPT - writer.totalBytes;
      if (room > 0) writer.write(chunk.subarray(0, room));
      pushTail(chunk);
    },
    end() {
      if (!writer) return { text: Buffer.concat(head).toString('utf8') };
      writer.close();
      const start = wholeCharacters(Buffer.concat(head));
      const end = wholeCharacters(Buffer.concat(tail).subarray(-tailSize));
      const shownBytes = Buffer.byteLength(start) + Buffer.byteLength(end);
      const { handle } = writer;
      const left = leftOutMarker(totalBytes - shownBytes, writer);
      return { text: `${start}\n${left}\n${end}`, truncation: { handle, totalBytes, shownBytes } };
    },
  };
}
