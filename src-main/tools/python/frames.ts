/** Length-prefixed JSON, as the CPython worker speaks it: four bytes of length (big-endian), then that many bytes. */
export function encodeFrame(message: unknown): Uint8Array {
  const body = Buffer.from(JSON.stringify(message));
  const frame = Buffer.alloc(4 + body.length);
  frame.writeUInt32BE(body.length);
  body.copy(frame, 4);
  return frame;
}

/**
 * Takes frames out of a stream, however it is cut. `onNonsense` is called, and nothing more is read, when a frame is longer
 * than `maxBytes` or is not JSON: whoever sends that is not to be believed again.
 */
export function createFrameReader(
  maxBytes: number,
  onMessage: (message: unknown) => void,
  onNonsense: () => void,
): (bytes: Uint8Array) => void {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let needed = 4;
  let broken = false;

  function next(buffer: Buffer): number {
    const length = buffer.length >= 4 ? buffer.readUInt32BE(0) : 0;
    if (length > maxBytes) throw new RangeError('frame too long');
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
        onMessage(JSON.parse(buffer.toString('utf8', 4, needed)));
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
