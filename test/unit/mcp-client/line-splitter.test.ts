import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineSplitter } from '../../../src-main/mcp/client/line-splitter.ts';

function collect(maxBytes: number): { push: (chunk: Buffer) => void; lines: string[]; cut: string[] } {
  const lines: string[] = [];
  const cut: string[] = [];
  const push = createLineSplitter({
    maxBytes,
    onLine: (line) => lines.push(line.toString('utf8')),
    onTooLong: (head) => cut.push(head.toString('utf8')),
  });
  return { push, lines, cut };
}

describe('cutting a stream into lines', () => {
  it('gives the same lines however the stream is cut into chunks, characters included', () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ''));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (lines, sizes) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        const found = collect(1_000_000);
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          found.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(found.lines).toEqual(lines);
      }),
    );
  });

  it('keeps back what has no end yet', () => {
    const found = collect(100);
    found.push(Buffer.from('whole\nhalf'));
    expect(found.lines).toEqual(['whole']);
  });

  it('says once that a line is too long, and goes on with the next one', () => {
    const found = collect(4);
    for (const piece of ['abc', 'def', 'ghi', '\nok\n']) found.push(Buffer.from(piece));
    expect(found).toMatchObject({ cut: ['abcd'], lines: ['ok'] });
  });
});
