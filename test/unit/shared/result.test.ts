import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  combine,
  failure,
  hasContent,
  image,
  success,
  text,
  toText,
  type ToolResult,
} from '../../../src-shared/index.ts';

const part = fc.oneof(
  fc.string().map((value) => text(value)),
  fc.base64String().map((data) => image(data, 'image/png')),
);
const result: fc.Arbitrary<ToolResult> = fc
  .record({
    content: fc.array(part),
    isError: fc.boolean(),
    system: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
  })
  .map(({ content, isError, system }) => ({ content, isError, ...(system !== undefined && { system }) }));

describe('tool results', () => {
  it('never lose a part when they are combined', () => {
    fc.assert(
      fc.property(result, result, (first, second) => {
        expect(combine(first, second).content).toEqual([...first.content, ...second.content]);
      }),
    );
  });

  it('have failed when either half has', () => {
    fc.assert(
      fc.property(result, result, (first, second) => {
        expect(combine(first, second).isError).toBe(first.isError || second.isError);
      }),
    );
  });

  it('combine the same however they are grouped', () => {
    fc.assert(
      fc.property(result, result, result, (a, b, c) => {
        expect(combine(combine(a, b), c)).toEqual(combine(a, combine(b, c)));
      }),
    );
  });

  it('show the output beside the error', () => {
    expect(toText(combine(success('half of the work'), failure('then it broke')))).toBe(
      'half of the work\nthen it broke',
    );
  });

  it('are empty only when nothing at all is in them', () => {
    expect(hasContent(success(''))).toBe(false);
    expect(hasContent(success([image('', 'image/png')]))).toBe(true);
    expect(hasContent(success('', { system: 'restarted' }))).toBe(true);
    expect(hasContent(success('', { structuredContent: {} }))).toBe(true);
  });
});
