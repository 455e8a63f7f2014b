import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAccess, isOwnAddress } from '../../../src-main/hosts/web/access.ts';

const PORT = 4242;

function request(headers: Record<string, string | undefined>): IncomingMessage {
  return { headers } as unknown as IncomingMessage;
}

function cookieOf(header: string | undefined): string {
  return header?.split(';', 1)[0] ?? '';
}

describe('access to the web host', () => {
  it('exchanges a token for a cookie once', () => {
    const access = createAccess(PORT);
    const token = access.issue();
    const cookie = cookieOf(access.redeem(token));
    expect(access.knows(request({ cookie }))).toBe(true);
    expect(access.redeem(token)).toBeUndefined();
  });

  it('finds its cookie among those of other programs on the machine', () => {
    const access = createAccess(PORT);
    const cookie = cookieOf(access.redeem(access.issue()));
    expect(access.knows(request({ cookie: `other=1; ${cookie}; causeway_1=x` }))).toBe(true);
  });

  it('lets a token grow too old', () => {
    let now = 0;
    const access = createAccess(PORT, () => now);
    const token = access.issue();
    now = 31 * 60_000;
    expect(access.redeem(token)).toBeUndefined();
  });

  it('knows no token and no cookie that it did not give', () => {
    const access = createAccess(PORT);
    access.issue();
    fc.assert(
      fc.property(fc.string(), (guess) => {
        expect(access.redeem(guess)).toBeUndefined();
        expect(access.knows(request({ cookie: `causeway_${PORT}=${guess}` }))).toBe(false);
      }),
    );
  });
});

describe('the own address', () => {
  it.each([
    ['127.0.0.1:4242', undefined, true],
    ['localhost:4242', 'http://localhost:4242', true],
    ['127.0.0.1:4242', 'http://127.0.0.1:4242', true],
    ['127.0.0.1:4242', 'http://localhost:4242', false],
    ['127.0.0.1:4242', 'https://127.0.0.1:4242', false],
    ['127.0.0.1:4242', 'null', false],
    ['127.0.0.1:4243', undefined, false],
    ['127.0.0.1', undefined, false],
    ['evil.example:4242', undefined, false],
    [undefined, undefined, false],
  ])('for Host %s and Origin %s: %s', (host, origin, own) => {
    expect(isOwnAddress(request({ host, origin }), PORT)).toBe(own);
  });
});
