import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCappedOutput } from '../../../src-main/tools/capped-output.ts';
import { memoryOutputs } from '../../fixtures/memory-outputs.ts';

describe('a capped output', () => {
  it('within the cap is shown as it is and kept nowhere else', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 20 })), (pieces) => {
        const outputs = memoryOutputs();
        const output = createCappedOutput({ outputs, capBytes: 5000 });
        for (const piece of pieces) output.write(Buffer.from(piece));
        expect(output.end()).toEqual({ text: Buffer.from(pieces.join('')).toString('utf8') });
        expect(outputs.made()).toBe(0);
      }),
    );
  });

  it('beyond the cap shows its beginning and its end, and is kept whole', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 12, maxLength: 60 }), (sizes) => {
        const outputs = memoryOutputs();
        const output = createCappedOutput({ outputs, capBytes: 100 });
        const pieces = sizes.map((size, index) => String.fromCharCode(97 + (index % 26)).repeat(size + 9));
        for (const piece of pieces) output.write(Buffer.from(piece));
        const whole = pieces.join('');
        const { text, truncation } = output.end();
        expect(outputs.whole()).toBe(whole);
        expect(text.startsWith(whole.slice(0, 60))).toBe(true);
        expect(text.endsWith(whole.slice(-40))).toBe(true);
        expect(truncation).toEqual({ handle: 'out-1', totalBytes: whole.length, shownBytes: 100 });
      }),
    );
  });

  it('never shows half a character at the cut', () => {
    const output = createCappedOutput({ outputs: memoryOutputs(), capBytes: 101 });
    output.write(Buffer.from('€'.repeat(200)));
    expect(output.end().text).not.toContain('\uFFFD');
  });
});
