import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchText, readPage, searchOutput } from '../../../src-main/tools/output/index.ts';
import { memoryOutputs, type MemoryOutputs } from '../../fixtures/memory-outputs.ts';

function keep(...pieces: Uint8Array[]): { outputs: MemoryOutputs; handle: string; whole: Buffer } {
  const outputs = memoryOutputs();
  const writer = outputs.create();
  for (const piece of pieces) writer.write(piece);
  return { outputs, handle: writer.handle, whole: Buffer.concat(pieces) };
}

/** Pages from the first to the last, or from the last to the first. */
function pages({ outputs, handle, whole }: ReturnType<typeof keep>, backwards: boolean): [number, number][] {
  const spans: [number, number][] = [];
  for (let at = backwards ? whole.length : 0; backwards ? at > 0 : at < whole.length;) {
    const { start, end } = readPage(outputs, { handle, at, backwards });
    expect(backwards ? end : start).toBe(at);
    expect(end).toBeGreaterThan(start);
    spans.push([start, end]);
    at = backwards ? start : end;
  }
  return backwards ? spans.reverse() : spans;
}

const anyBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: 'binary', maxLength: 200 }).map((text) => new TextEncoder().encode(text)),
      fc.constant(Buffer.from('a line\n'.repeat(4000))),
      fc.constant(Buffer.from('漢字'.repeat(20_000))),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .filter((pieces) => pieces.some(({ length }) => length > 0));

describe('pages of a kept output', () => {
  it.each([
    ['forwards', false],
    ['backwards', true],
  ])('read %s give every byte once, whatever the bytes are', (_name, backwards) => {
    fc.assert(
      fc.property(anyBytes, (pieces) => {
        const kept = keep(...pieces);
        const spans = pages(kept, backwards);
        expect(spans[0]?.[0]).toBe(0);
        expect(spans.at(-1)?.[1]).toBe(kept.whole.length);
        for (const [index, [start]] of spans.entries()) expect(start).toBe(spans[index - 1]?.[1] ?? 0);
      }),
      { numRuns: 60 },
    );
  });

  it('never cut a character, and end at line ends', () => {
    const wide = keep(Buffer.from('漢'.repeat(100_000)));
    for (const [at] of pages(wide, false)) {
      expect(readPage(wide.outputs, { handle: wide.handle, at, backwards: false }).text).toMatch(/^漢+$/);
    }
    const lined = keep(Buffer.from('a line of text\n'.repeat(20_000)));
    for (const [at, end] of pages(lined, false)) {
      const page = readPage(lined.outputs, { handle: lined.handle, at, backwards: false });
      expect(page.text).toMatch(/^a line.*text\n$/s);
      expect(page).toMatchObject({ end, totalBytes: 300_000 });
    }
  });
});

describe('what a search finds', () => {
  it('begins where the line begins, also behind invalid bytes and in long lines', async () => {
    const { outputs, handle } = keep(
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from(`${'漢'.repeat(600_000)}\n`),
      Buffer.from('needle here\n'),
    );
    const { signal } = new AbortController();
    const { matches } = await searchOutput(outputs, { handle, matcher: matchText('needle'), line: 1, signal });
    expect(matches).toMatchObject([{ line: 3, text: 'needle here' }]);
    const at = matches[0]?.offset ?? 0;
    expect(readPage(outputs, { handle, at, backwards: false }).text).toBe('needle here\n');
  });
});
