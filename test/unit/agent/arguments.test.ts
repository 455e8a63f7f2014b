import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseArguments } from '../../../src-main/agent/arguments.ts';
import type { JsonObject } from '../../../src-shared/index.ts';

const objects = fc
  .dictionary(fc.string(), fc.jsonValue())
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

function problemOf(text: string): string {
  const parsed = parseArguments(text);
  return parsed.ok ? '' : parsed.problem;
}

describe('arguments of a tool call', () => {
  test('whatever JSON can write is read back unchanged, also when it is encoded twice', () => {
    fc.assert(
      fc.property(objects, (input) => {
        const text = JSON.stringify(input);
        expect(parseArguments(text)).toEqual({ ok: true, input });
        expect(parseArguments(JSON.stringify(text))).toEqual({ ok: true, input });
      }),
    );
  });

  test('an object that was cut off anywhere is never completed by guessing', () => {
    fc.assert(
      fc.property(objects, fc.double({ min: 0, max: 1, noNaN: true }), (input, share) => {
        const text = JSON.stringify(input);
        const cut = text.slice(0, 1 + Math.floor(share * (text.length - 1)));
        if (cut.length === text.length) return;
        expect(parseArguments(cut).ok).toBe(false);
      }),
    );
  });

  test('nothing at all is an empty object', () => {
    expect(parseArguments('')).toEqual({ ok: true, input: {} });
    expect(parseArguments(' \n')).toEqual({ ok: true, input: {} });
  });

  test('trailing commas and raw line breaks inside strings are mended', () => {
    expect(parseArguments('{"a": [1, 2,], }')).toEqual({ ok: true, input: { a: [1, 2] } });
    expect(parseArguments('{"a": "one\n\ttwo \\" three"}')).toEqual({ ok: true, input: { a: 'one\n\ttwo " three' } });
  });

  test('objects and lists that came as text are decoded where the schema wants them, and text stays text', () => {
    const schema = { properties: { list: { type: 'array' }, map: { type: 'object' }, text: { type: 'string' } } };
    const text = JSON.stringify({ list: '[1]', map: '{"a":1}', text: '[1]' });
    expect(parseArguments(text, schema)).toEqual({ ok: true, input: { list: [1], map: { a: 1 }, text: '[1]' } });
    expect(parseArguments('{"list": "not a list"}', schema)).toEqual({ ok: true, input: { list: 'not a list' } });
  });

  test('a cut is told as a cut, with its position', () => {
    expect(problemOf('{"path": "a.txt", "text": "once upo')).toMatch(/cut off.*character \d+ of 35.*once upo/);
    expect(problemOf('{"a": 1')).toMatch(/cut off/);
  });

  test('a fault in the middle is told with its position and what is near', () => {
    expect(problemOf('{"a": 1 "b": 2}')).toMatch(/not valid JSON: comma expected at character 9 of 15/);
  });

  test.each([
    ['[1]', 'a list'],
    ['null', 'null'],
    ['7', 'a number'],
    ['"just text"', 'a string'],
  ])('%s is refused, because it is %s', (text, kind) => {
    expect(problemOf(text)).toContain(`but they are ${kind}`);
  });
});
