/*
 * What travels between Causeway and the file worker: a short text (JSON) with any amount of bytes beside it. Two lengths come
 * first (four bytes each, big-endian), so that bytes are never made into text and are read right to where they stay.
 */

/** Longest text of a frame, in bytes: the names of a very large folder. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
/** Most bytes beside it. */
export const MAX_PAYLOAD_BYTES = 2 * 1024 * 1024 * 1024;
const LENGTHS_BYTES = 8;

export interface Frame {
  /** Parsed, not checked. */
  readonly message: unknown;
  readonly payload: Uint8Array;
}

/** A frame as pieces to be written one after the other; the payload is not copied. */
export function frameOf(message: unknown, payload: readonly Uint8Array[]): Uint8Array[] {
  const text = Buffer.from(JSON.stringify(message));
  const bytes = totalBytes(payload);
  if (text.length > MAX_TEXT_BYTES || bytes > MAX_PAYLOAD_BYTES) throw new RangeError('frame too long');
  const lengths = Buffer.alloc(LENGTHS_BYTES);
  lengths.writeUInt32BE(text.length, 0);
  lengths.writeUInt32BE(bytes, 4);
  return [Buffer.concat([lengths, text]), ...payload];
}

export function totalBytes(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/**
 * Takes frames out of a stream, however it is cut; every byte is copied once. `onNonsense` is called, and nothing more is read,
 * when a frame is too long or its text is not JSON.
 */
export function createFrameReader(
  onFrame: (frame: Frame) => void,
  onNonsense: () => void,
): (bytes: Uint8Array) => void {
  let target: Buffer = Buffer.alloc(LENGTHS_BYTES);
  let filled = 0;
  /** Length of the text, once it is known. */
  let textBytes: number | undefined;
  let broken = false;

  function expect(next: Buffer, text: number | undefined): void {
    [target, filled, textBytes] = [next, 0, text];
  }

  function full(): void {
    if (textBytes === undefined) {
      const [text, payload] = [target.readUInt32BE(0), target.readUInt32BE(4)];
      if (text > MAX_TEXT_BYTES || payload > MAX_PAYLOAD_BYTES) throw new RangeError('frame too long');
      expect(Buffer.allocUnsafeSlow(text + payload), text);
    } else {
      const frame = { message: JSON.parse(target.toString('utf8', 0, textBytes)), payload: target.subarray(textBytes) };
      expect(Buffer.alloc(LENGTHS_BYTES), undefined);
      onFrame(frame);
    }
  }

  return (bytes) => {
    try {
      for (let at = 0; at < bytes.length && !broken;) {
        const piece = bytes.subarray(at, at + target.length - filled);
        target.set(piece, filled);
        filled += piece.length;
        at += piece.length;
        while (filled === target.length) full();
      }
    } catch {
      broken = true;
      onNonsense();
    }
  };
}
