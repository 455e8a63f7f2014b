import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { singleToken } from '../../../src-main/mcp/endpoint/access.ts';

describe('the token', () => {
  it('lets in whoever sends exactly it', () => {
    expect(singleToken('secret-token', 'http')('secret-token')).toBe('http');
  });

  it('keeps out everything else, shorter, longer or nearly right', () => {
    const check = singleToken('secret-token');
    for (const token of ['', 'secret-toke', 'secret-token ', 'secret-tokeN']) expect(check(token)).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), (token) => {
        fc.pre(token !== 'secret-token');
        expect(check(token)).toBeUndefined();
      }),
    );
  });
});
