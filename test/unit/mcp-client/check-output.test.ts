import { describe, expect, it } from 'vitest';
import { describeMisfit } from '../../../src-main/mcp/client/check-output.ts';

const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

describe('what a tool promises by its output schema', () => {
  it('is kept', () => {
    expect(describeMisfit(schema, { structuredContent: { n: 1 } })).toBeUndefined();
    expect(describeMisfit(undefined, { structuredContent: { n: 'x' } })).toBeUndefined();
  });

  it('is not kept: that is said, with what is wrong', () => {
    expect(describeMisfit(schema, { structuredContent: { n: 'x' } })).toMatch(/does not fit.*number/);
    expect(describeMisfit(schema, {})).toContain('gave none');
  });

  it('may be any JSON value on the new protocol', () => {
    expect(describeMisfit({ type: 'array', items: { type: 'number' } }, { structuredContent: [1, 2] })).toBeUndefined();
  });

  it('is nothing when the call failed', () => {
    expect(describeMisfit(schema, { isError: true })).toBeUndefined();
  });

  it('can not be looked at when the schema is broken, and that is said too', () => {
    expect(describeMisfit({ type: 'no such type' }, { structuredContent: {} })).toContain('could not be checked');
  });
});
