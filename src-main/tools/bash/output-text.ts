import type { Truncation } from '../../../src-shared/index.ts';
import type { OutputStore } from '../../store/index.ts';
import { HEAD_SHARE, headOf, leftOutMarker, tailOf, type Kept } from '../head-tail.ts';
import type { Captured } from './capture.ts';
import { renderOutput } from './render.ts';

/** What a model sees of a command's output. */
export interface OutputText {
  readonly text: string;
  readonly truncation?: Truncation;
  /** Where the bytes are kept as they came, when the text is not simply them. */
  readonly handle?: string;
}

/** Output as a person would see it, at most about `capBytes` of it: head and tail with a marker between, the whole kept. */
export async function outputText(captured: Captured, capBytes: number, outputs: OutputStore): Promise<OutputText> {
  const { handle, totalBytes } = captured;
  if (handle === undefined) {
    if (totalBytes === 0) return { text: '' };
    const rendered = await renderOutput(captured.head);
    const text = withoutLastBreak(rendered);
    if (Buffer.byteLength(text) > capBytes) {
      return cut(text, text, { capBytes, totalBytes, kept: keep(captured.head, outputs) });
    }
    const isRaw = Buffer.from(rendered).equals(captured.head);
    return isRaw ? { text } : { text, handle: keep(captured.head, outputs).handle };
  }
  const head = await renderOutput(captured.head);
  const tail = withoutLastBreak(await renderOutput(captured.tail.subarray(lineStart(captured.tail))));
  return cut(head, tail, { capBytes, totalBytes, kept: { handle, problem: captured.problem } });
}

function cut(
  headText: string,
  tailText: string,
  { capBytes, totalBytes, kept }: { capBytes: number; totalBytes: number; kept: Kept },
): OutputText {
  const head = headOf(headText, Math.floor(capBytes * HEAD_SHARE));
  const tail = tailOf(tailText, capBytes - Buffer.byteLength(head));
  const shownBytes = Buffer.byteLength(head) + Buffer.byteLength(tail);
  const marker = leftOutMarker(Math.max(0, totalBytes - shownBytes), kept);
  const { handle } = kept;
  return { text: `${head}\n${marker}\n${tail}`, truncation: { handle, totalBytes, shownBytes }, handle };
}

/** Longest rest of a line that is dropped at the start of the tail, in bytes. */
const LONGEST_REST = 4096;

/** Where rendering can begin: a line (or a line written over) that began in the part left out would come out wrong. */
function lineStart(tail: Buffer): number {
  return tail.subarray(0, LONGEST_REST).findIndex((byte) => byte === 0x0a || byte === 0x0d) + 1;
}

function keep(bytes: Uint8Array, outputs: OutputStore): Kept {
  const writer = outputs.create();
  writer.write(bytes);
  writer.close();
  return writer;
}

function withoutLastBreak(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}
