import { describe, expect, it } from 'vitest';
import { createInputCheck } from '../../../src-main/tools/index.ts';
import type { JsonSchema } from '../../../src-shared/index.ts';

const strict: JsonSchema = {
  type: 'object',
  properties: { command: { type: 'string' }, mode: { enum: ['a', 'b'] }, at: { type: 'object', required: ['line'] } },
  required: ['command'],
  additionalProperties: false,
};

describe('the check of tool input', () => {
  const { check } = createInputCheck();

  it('passes on what fits, as the very same object', () => {
    const input = { command: 'true' };
    expect(check(strict, input)).toBe(input);
  });

  it('is not held up by a pattern that takes for ever: the server checks its own input', () => {
    const slow: JsonSchema = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$' }, b: { type: 'string', pattern: '^b$' } },
    };
    expect(() => check(slow, { a: 'b' })).toThrow('"a" must match pattern');
    expect(() => check(slow, { a: 'a', b: 'a' })).toThrow('"b" must match pattern "^b$"');
    const input = { a: `${'a'.repeat(50)}!` };
    expect(check(slow, input)).toBe(input);
  });

  it('says in words what a field should be whose pattern nobody can read', () => {
    const long = { type: 'string', pattern: `^(${'a|'.repeat(50)}b)$` };
    const field = (items: JsonSchema): JsonSchema => ({ type: 'object', properties: { a: { type: 'array', items } } });
    expect(() => check(field({ ...long, description: 'A name, no path.' }), { a: ['/x'] })).toThrow(
      /: "a\.0" does not have the form that is wanted: A name, no path\.$/,
    );
    expect(() => check(field(long), { a: ['/x'] })).toThrow(/"a\.0" does not have the form that is wanted\.$/);
  });

  it('keeps strings that look like other things as strings', () => {
    const input = { command: '{"json": true}' };
    expect(check(strict, input)).toEqual({ command: '{"json": true}' });
    expect(() => check({ type: 'object', properties: { n: { type: 'number' } } }, { n: '5' })).toThrow(
      /"n" must be number/,
    );
  });

  it.each([
    [{}, '"command" is missing'],
    [{ command: 1 }, '"command" must be string'],
    [{ command: 'x', extra: 1 }, '"extra" is not a field of this tool'],
    [{ command: 'x', mode: 'c' }, '"mode" must be one of ["a","b"]'],
    [{ command: 'x', at: {} }, '"at.line" is missing'],
    ['text', 'must be a JSON object'],
    [null, 'must be a JSON object'],
  ])('names the field that is wrong in %j', (input, complaint) => {
    expect(() => check(strict, input)).toThrow(complaint);
  });

  it('leaves a missing field that has a default to the tool', () => {
    const schema = {
      type: 'object',
      properties: { scale: { type: 'string', default: 'css' }, url: {} },
      required: ['scale', 'url'],
    };
    expect(check(schema, { url: 'x' })).toEqual({ url: 'x' });
    expect(() => check(schema, {})).toThrow('"url" is missing');
    expect(() => check(schema, {})).not.toThrow('"scale" is missing');
  });

  it('understands older drafts by their $schema', () => {
    const draft4 = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      properties: { n: { minimum: 3, exclusiveMinimum: true } },
    };
    expect(() => check(draft4, { n: 3 })).toThrow(/"n"/);
    const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', properties: { n: { exclusiveMinimum: 3 } } };
    expect(() => check(draft7, { n: 3 })).toThrow(/"n"/);
  });

  it('lets input pass to a tool whose schema is broken: its server checks', () => {
    expect(check({ type: 'banana' }, { anything: 1 })).toEqual({ anything: 1 });
    expect(check({ $ref: '#/nowhere' }, { anything: 1 })).toEqual({ anything: 1 });
  });

  it('keeps two schemas with the same $id apart', () => {
    const one = { $id: 'same', type: 'object', required: ['a'] };
    const two = { $id: 'same', type: 'object', required: ['b'] };
    expect(() => check(one, { b: 1 })).toThrow(/"a" is missing/);
    expect(() => check(two, { a: 1 })).toThrow(/"b" is missing/);
  });
});
