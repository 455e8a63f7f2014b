import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMarkParser, type Mark } from '../../../src-main/tools/bash/mark-parser.ts';

const NONCE = 'ab'.repeat(16);

/** Everything in order: text joined where nothing came between. */
function parse(chunks: Uint8Array[]): (string | Mark)[] {
  const seen: (string | Mark)[] = [];
  const parser = createMarkParser(NONCE, {
    text(bytes) {
      const text = Buffer.from(bytes).toString('latin1');
      const last = seen.at(-1);
      if (typeof last === 'string') seen[seen.length - 1] = last + text;
      else seen.push(text);
    },
    mark: (mark) => seen.push(mark),
  });
  for (const chunk of chunks) parser.push(chunk);
  return seen;
}

function mark(body: string): string {
  return `\x1b]633;${NONCE};${body}\x07`;
}

describe('createMarkParser', () => {
  test('tells marks from the text around them', () => {
    expect(parse([Buffer.from(`a${mark('C;4')}b${mark('D;4;5ec;1;/tmp')}c`)])).toEqual([
      'a',
      { kind: 'start', number: 4 },
      'b',
      { kind: 'end', number: 4, secret: '5ec', status: 1, directory: '/tmp' },
      'c',
    ]);
  });

  test('knows every kind', () => {
    expect(parse([Buffer.from(mark('P;2;130;/') + mark('S;7;5ec') + mark('X;3;/a') + mark('E'))])).toEqual([
      { kind: 'prompt', number: 2, status: 130, directory: '/' },
      { kind: 'sync', number: 7, secret: '5ec' },
      { kind: 'leaving', status: 3, directory: '/a' },
      { kind: 'exit-word' },
    ]);
  });

  test('decodes directories, also with semicolons and control characters', () => {
    expect(parse([Buffer.from(mark('D;1;5ec;0;/a;b%25%07%1B%0A%41é'))])).toEqual([
      { kind: 'end', number: 1, secret: '5ec', status: 0, directory: '/a;b%\x07\x1b\n%41é' },
    ]);
  });

  test('takes marks with another nonce, of no known kind, or without an end for text', () => {
    for (const text of [
      '\x1b]633;D;1;0;/\x07',
      `\x1b]633;${'cd'.repeat(16)};D;1;0;/\x07`,
      mark('Z;1'),
      '\x1b]0;t\x07',
    ]) {
      expect(parse([Buffer.from(`${text}rest`)])).toEqual([`${text}rest`]);
    }
    const endless = `\x1b]633;${NONCE};D;${'x'.repeat(20_000)}`;
    expect(parse([Buffer.from(endless)])).toEqual([endless]);
  });

  test('sees the same wherever the stream is cut', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        mark('C;1'),
        mark('D;1;5ec;0;/x'),
        mark('E'),
        mark('Q'),
        '\x1b',
        '\x1b]',
        '\x1b]633;',
        '\x07',
        '\r\n',
      ),
      fc.constantFrom(`\x1b]633;${NONCE}`, `\x1b]633;${NONCE.slice(0, 9)}z`, '\x1b\x1b]633;'),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 20 }), (pieces, cuts) => {
        // A plain end, so that nothing is held back.
        const whole = Buffer.from(`${pieces.join('')}${mark('E')}`);
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const cut of cuts) {
          chunks.push(whole.subarray(at, at + cut));
          at += cut;
        }
        chunks.push(whole.subarray(at));
        expect(parse(chunks)).toEqual(parse([whole]));
      }),
    );
  });
});
