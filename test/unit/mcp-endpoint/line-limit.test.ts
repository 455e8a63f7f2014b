import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineLimit, type DroppedLine } from '../../../src-main/mcp/endpoint/line-limit.ts';
import { findRequestId } from '../../../src-main/mcp/endpoint/request-id.ts';

async function through(chunks: Buffer[], maxBytes: number): Promise<{ passed: string; dropped: DroppedLine[] }> {
  const dropped: DroppedLine[] = [];
  const limit = createLineLimit({ maxBytes, onDropped: (line) => dropped.push(line) });
  const passed = await text(Readable.from(chunks).pipe(limit));
  return { passed, dropped };
}

describe('the limit on lines', () => {
  it('lets lines up to the limit through and drops longer ones, however they are cut into chunks', async () => {
    const lines = fc.array(fc.string({ maxLength: 30 }).map((line) => line.replaceAll(/[\n\ufffd]/g, '')));
    await fc.assert(
      fc.asyncProperty(lines, fc.array(fc.nat(20), { minLength: 1 }), async (all, sizes) => {
        const bytes = Buffer.from(all.map((line) => `${line}\n`).join(''));
        const chunks: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = 1 + (sizes[turn % sizes.length] ?? 0);
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        const fits = all.filter((line) => Buffer.byteLength(line) + 1 <= 16);
        const { passed, dropped } = await through(chunks, 16);
        expect(passed).toBe(fits.map((line) => `${line}\n`).join(''));
        expect(dropped).toHaveLength(all.length - fits.length);
      }),
    );
  });

  it('gives each line on in one piece', async () => {
    const limit = createLineLimit({ maxBytes: 100, onDropped: () => undefined });
    const pieces: string[] = [];
    limit.on('data', (piece: Buffer) => pieces.push(piece.toString()));
    for (const chunk of ['a', 'b\nc', 'd\ne\n']) limit.write(chunk);
    limit.end();
    await nextTurn();
    expect(pieces).toEqual(['ab\n', 'cd\n', 'e\n']);
  });

  it('gives a last line the line break it lacks', async () => {
    expect((await through([Buffer.from('a\nb')], 16)).passed).toBe('a\nb\n');
  });

  it('keeps only the ends of a dropped line, and goes on with the next', async () => {
    const chunks = Array.from({ length: 200 }, () => Buffer.alloc(1000, 'x'));
    const { passed, dropped } = await through([Buffer.from('HEAD'), ...chunks, Buffer.from('TAIL\nnext\n')], 5000);
    expect(passed).toBe('next\n');
    expect(dropped).toHaveLength(1);
    expect(dropped[0]?.head).toMatch(/^HEADx{508}$/);
    expect(dropped[0]?.tail).toMatch(/^x{507}TAIL\n$/);
  });
});

describe('the request id of a message that was too long', () => {
  const long = 'x'.repeat(2000);
  const ends = (message: unknown): DroppedLine => {
    const line = `${JSON.stringify(message)}\n`;
    return { head: line.slice(0, 512), tail: line.slice(-512) };
  };

  it.each([0, 7, 'abc', 'with "quotes" and \\'])('is found where clients write it: %j', (id) => {
    expect(findRequestId(ends({ jsonrpc: '2.0', id, method: 'tools/call', params: { long } }))).toBe(id);
    expect(findRequestId(ends({ method: 'tools/call', params: { long }, jsonrpc: '2.0', id }))).toBe(id);
  });

  it('is never taken from inside the arguments', () => {
    const inner = { jsonrpc: '2.0', method: 'x', params: { long, arguments: { id: 5 } } };
    expect(findRequestId(ends(inner))).toBeUndefined();
    expect(findRequestId(ends({ params: { id: 5, long }, jsonrpc: '2.0' }))).toBeUndefined();
    expect(findRequestId(ends({ jsonrpc: '2.0', method: 'x', params: { long, text: ',"id":5}' } }))).toBeUndefined();
  });
});
