import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameReader, frameOf, type Frame } from '../../../src-main/operator/sandboxed/frames.ts';

function readAll(pieces: readonly Uint8Array[]): { frames: Frame[]; nonsense: number } {
  const frames: Frame[] = [];
  let nonsense = 0;
  const read = createFrameReader(
    (frame) => frames.push(frame),
    () => (nonsense += 1),
  );
  for (const piece of pieces) read(piece);
  return { frames, nonsense };
}

describe('frames', () => {
  it('come out as they went in, however the stream is cut', () => {
    const sent = fc.array(fc.tuple(fc.jsonValue(), fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 3 })), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(sent, fc.integer({ min: 1, max: 20 }), (messages, size) => {
        const stream = Buffer.concat(messages.flatMap(([message, payload]) => frameOf(message, payload)));
        const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
          stream.subarray(index * size, (index + 1) * size),
        );
        const { frames, nonsense } = readAll(pieces);
        expect(nonsense).toBe(0);
        expect(frames.map(({ payload }) => Buffer.from(payload))).toEqual(
          messages.map(([, bytes]) => Buffer.concat(bytes)),
        );
        expect(frames.map(({ message }) => JSON.stringify(message))).toEqual(
          messages.map(([message]) => JSON.stringify(JSON.parse(JSON.stringify(message)))),
        );
      }),
    );
  });

  it('that are too long or no JSON end the conversation', () => {
    const [good = new Uint8Array(0)] = frameOf('good', []);
    for (const bad of [Buffer.alloc(8, 0xff), Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, 0x7b])]) {
      expect(readAll([good, bad, good])).toMatchObject({ nonsense: 1, frames: [{ message: 'good' }] });
    }
  });
});
