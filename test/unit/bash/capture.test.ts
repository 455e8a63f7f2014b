import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCapture } from '../../../src-main/tools/bash/capture.ts';
import { memoryOutputs } from '../../fixtures/memory-outputs.ts';

describe('createCapture', () => {
  test('keeps everything in memory up to twice its size', () => {
    const outputs = memoryOutputs();
    const capture = createCapture({ outputs, keepBytes: 4 });
    capture.write(Buffer.from('abcd'));
    capture.write(Buffer.from('efgh'));
    const taken = capture.take();
    expect(taken).toMatchObject({ totalBytes: 8, handle: undefined });
    expect(taken.head.toString() + taken.tail.toString()).toBe('abcdefgh');
  });

  test('beyond that gives head and tail, and the whole is in the store', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 30 })), (pieces) => {
        const outputs = memoryOutputs();
        const capture = createCapture({ outputs, keepBytes: 10 });
        for (const piece of pieces) capture.write(Buffer.from(piece));
        const whole = pieces.join('');
        const { head, tail, totalBytes, handle } = capture.take();
        expect(totalBytes).toBe(whole.length);
        expect(outputs.open()).toBe(0);
        if (whole.length <= 20) {
          expect(head.toString()).toBe(whole);
          return;
        }
        expect([head.toString(), tail.toString()]).toEqual([whole.slice(0, 10), whole.slice(-10)]);
        expect(outputs.whole(handle)).toBe(whole);
      }),
    );
  });

  test('begins anew after it was taken, or discarded', () => {
    const outputs = memoryOutputs();
    const capture = createCapture({ outputs, keepBytes: 2 });
    capture.write(Buffer.from('long enough for the store'));
    capture.discard();
    expect(outputs.open()).toBe(0);
    capture.write(Buffer.from('x'));
    expect(capture.take().head.toString()).toBe('x');
    expect(capture.take()).toMatchObject({ totalBytes: 0 });
  });
});
