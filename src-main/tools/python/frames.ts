import { isWithinBounds, MAX_MESSAGE_BYTES, MAX_PICTURE_BYTES } from './bounds.ts';

/** Bytes of a media type's name. */
const MAX_TYPE_BYTES = 40;
const JSON_FRAME = 'J'.charCodeAt(0);
const PICTURE_FRAME = 'P'.charCodeAt(0);
/** A picture with its kind, its media type and the byte between. */
const MAX_FRAME_BYTES = MAX_PICTURE_BYTES + MAX_TYPE_BYTES + 2;

/** A request as the CPython worker takes it: four bytes of length (big-endian), then that many bytes of JSON. */
export function encodeFrame(message: unknown): Uint8Array {
  const body = Buffer.from(JSON.stringify(message));
  const frame = Buffer.alloc(4 + body.length);
  frame.writeUInt32BE(body.length);
  body.copy(frame, 4);
  return frame;
}

/**
 * Takes the worker's frames out of a stream, however it is cut: four bytes of length, then `J` and JSON, or `P`, a media type, a
 * zero byte and the bytes of a picture. `onNonsense` is called, and nothing more is read, for anything else, and for JSON that
 * would take long to read: whoever sends that is not to be believed again.
 */
export function createFrameReader(
  onMessage: (message: unknown) => void,
  onNonsense: () => void,
): (bytes: Uint8Array) => void {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let needed = 4;
  let broken = false;

  function next(buffer: Buffer): number {
    const length = buffer.length >= 4 ? buffer.readUInt32BE(0) : 0;
    if (length > MAX_FRAME_BYTES) throw new RangeError('frame too long');
    return 4 + length;
  }

  return (bytes) => {
    if (broken) return;
    pending.push(bytes);
    pendingBytes += bytes.length;
    if (pendingBytes < needed) return;
    let buffer = Buffer.concat(pending);
    try {
      for (needed = next(buffer); buffer.length >= Math.max(needed, 4); needed = next(buffer)) {
        onMessage(decode(buffer.subarray(4, needed)));
        buffer = buffer.subarray(needed);
      }
    } catch {
      broken = true;
      pending = [];
      onNonsense();
      return;
    }
    pending = [buffer];
    pendingBytes = buffer.length;
  };
}

/** @throws when it is neither of the two kinds. */
function decode(frame: Buffer): unknown {
  const content = frame.subarray(1);
  if (frame[0] === PICTURE_FRAME) {
    const end = content.subarray(0, MAX_TYPE_BYTES + 1).indexOf(0);
    if (end < 0) throw new RangeError('a picture without a type');
    const mimeType = content.toString('latin1', 0, end);
    return { type: 'picture', mimeType, data: content.toString('base64', end + 1) };
  }
  if (frame[0] !== JSON_FRAME || content.length > MAX_MESSAGE_BYTES || !isWithinBounds(content)) {
    throw new RangeError('no message of a worker');
  }
  return JSON.parse(content.toString('utf8'));
}
