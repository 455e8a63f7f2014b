import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identify } from '../../../src-main/mcp/endpoint/identity.ts';

const named = (name: unknown): { envelope: unknown; clientInfo: unknown } => ({
  envelope: undefined,
  clientInfo: { name, version: '1' },
});

describe('who calls', () => {
  it('joins the way in with the name the app gives itself', () => {
    expect(identify('stdio', named('editor'))).toEqual({ id: 'stdio:editor', name: 'editor' });
  });

  it('takes the introduction of the request before that of the connection', () => {
    const introduction = {
      envelope: { [CLIENT_INFO_META_KEY]: { name: 'now', version: '1' } },
      clientInfo: { name: 'then' },
    };
    expect(identify('http', introduction).name).toBe('now');
  });

  it.each([undefined, null, 3, {}, { name: 7 }, { name: '' }, { name: ' \n ' }])(
    'calls %j an unnamed app',
    (clientInfo) => {
      expect(identify('http', { envelope: clientInfo, clientInfo }).name).toBe('Unnamed app');
    },
  );

  it('makes any name one short line without invisible characters', () => {
    expect(identify('http', named('a\u202Eb\u0000c\nd')).name).toBe('a b c d');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const shown = identify('http', named(name)).name;
        expect(shown).toMatch(/^[^\p{Cc}\p{Cf}]{1,80}$/u);
      }),
    );
  });
});
