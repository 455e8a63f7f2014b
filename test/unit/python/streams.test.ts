import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameReader } from '../../../src-main/tools/python/frames.ts';
import { createMarkCutter } from '../../../src-main/tools/python/mark.ts';
import { createFrameRemover } from '../../../src-main/tools/python/own-frames.ts';

/** Any way to cut bytes into chunks. */
function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (const size of sizes) {
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...chunks, bytes.subarray(at)];
}
const sizes = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 });

/** A frame as the worker sends it. */
function frame(kind: string, content: Uint8Array | string): Buffer {
  const body = Buffer.concat([Buffer.from(kind), Buffer.from(content)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}
const message = (value: unknown): Buffer => frame('J', JSON.stringify(value));

function read(chunks: readonly Uint8Array[]): { heard: unknown[]; nonsense: number } {
  const heard: unknown[] = [];
  let nonsense = 0;
  const reader = createFrameReader(
    (one) => heard.push(one),
    () => (nonsense += 1),
  );
  for (const chunk of chunks) reader(chunk);
  return { heard, nonsense };
}

describe('frames', () => {
  it('arrive whole and in order, however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), sizes, (messages, parts) => {
        const { heard, nonsense } = read(cut(Buffer.concat(messages.map(message)), parts));
        expect(JSON.stringify(heard)).toBe(JSON.stringify(messages));
        expect(nonsense).toBe(0);
      }),
    );
  });

  it('may be pictures, which are bytes', () => {
    const bytes = Buffer.from([0, 1, 2, 255]);
    const { heard } = read([frame('P', Buffer.concat([Buffer.from('image/png\0'), bytes])), message('next')]);
    expect(heard).toEqual([{ type: 'picture', mimeType: 'image/png', data: bytes.toString('base64') }, 'next']);
  });

  it('count brackets only where they are none of a text', () => {
    const wordy = { text: '[{"\\'.repeat(100_000), end: [] };
    expect(read([message(wordy)])).toEqual({ heard: [wordy], nonsense: 0 });
  });

  it.each([
    ['too long', Buffer.from([0xff, 0xff, 0xff, 0xff])],
    ['no JSON', frame('J', '{')],
    ['of no kind', frame('X', '1')],
    ['empty', Buffer.from([0, 0, 0, 0])],
    ['pictures without a type', frame('P', 'x'.repeat(100))],
    ['deep enough to take seconds to read', frame('J', '['.repeat(1_000_000) + ']'.repeat(1_000_000))],
    ['of too many parts', frame('J', `[${'{},'.repeat(100_000)}{}]`)],
    ['longer than any report', message('x'.repeat(5_000_000))],
  ])('that are %s are nonsense, after which nothing is heard', (_, bytes) => {
    expect(read([bytes, message('later')])).toEqual({ heard: [], nonsense: 1 });
  });
});

describe('a mark in the output', () => {
  const mark = '\0abab\0';

  it('ends it at the same byte, however the stream is cut', () => {
    const text = fc.array(fc.constantFrom('\0', 'a', 'b', 'ab', '\0ab', 'x')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, sizes, (before, after, parts) => {
        fc.pre(!before.includes(mark) && !(before + mark).slice(0, -1).includes(mark));
        const cutter = createMarkCutter(mark);
        const chunks = cut(Buffer.from(before + mark + after), parts);
        const got = Buffer.concat(chunks.map((chunk) => cutter.push(chunk)));
        expect(got.toString()).toBe(before);
        expect(cutter.found).toBe(true);
      }),
    );
  });

  it('that never comes loses nothing', () => {
    const cutter = createMarkCutter(mark);
    const got = Buffer.concat([cutter.push(Buffer.from('so far \0aba')), cutter.rest()]);
    expect(got.toString()).toBe('so far \0aba');
    expect(cutter.found).toBe(false);
  });
});

describe('lines about the worker’s own files', () => {
  const dump =
    'a\n  File "/own/worker.py", line 1 in serve\n  File "<code>", line 3 in f\n  File "/own/a_b.py", line 20 in <module>\nb';

  it('are taken out, however the stream is cut', () => {
    for (let size = 1; size < dump.length; size += 1) {
      const remover = createFrameRemover('/own');
      let said = '';
      for (let at = 0; at < dump.length; at += size) {
        said += Buffer.from(remover.push(Buffer.from(dump.slice(at, at + size)))).toString();
      }
      expect(said + Buffer.from(remover.rest()).toString()).toBe('a\n  File "<code>", line 3 in f\nb');
    }
  });

  it('are no others: what only looks like one is passed on whole', () => {
    const others = [
      '  File "/own/worker.py", line 1, in serve\n',
      '  File "/other/worker.py", line 1 in serve\n',
      'x  File "/own/worker.py", line 1 in serve\n',
      '  File "/own/unfinished',
      `  File "/own/${'x'.repeat(1000)}.py", line 1 in f\n`,
    ];
    for (const text of others) {
      const remover = createFrameRemover('/own');
      const [start, end] = [remover.push(Buffer.from(text.slice(0, 9))), remover.push(Buffer.from(text.slice(9)))];
      expect(Buffer.concat([start, end, remover.rest()]).toString()).toBe(text);
    }
  });
});
