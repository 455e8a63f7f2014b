import { describe, expect, it } from 'vitest';
import { onlyPublic, readDomains, viewPolicy } from '../../../src-main/mcp/apps/policy.ts';

const NONE = { connect: [], resource: [], frame: [], baseUri: [] };

describe('the policy of a view', () => {
  it('allows nothing from outside unless it is declared', () => {
    const policy = viewPolicy(NONE, 'http://127.0.0.1:1');
    expect(policy).toBe(
      "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src data: blob:; " +
        "media-src data: blob:; font-src data:; connect-src 'none'; worker-src blob:; frame-src 'none'; base-uri 'none'; " +
        "object-src 'none'; form-action 'none'; frame-ancestors http://127.0.0.1:1",
    );
  });

  it('has each declared domain where its kind belongs', () => {
    const { domains } = readDomains({
      connectDomains: ['https://api.example.org', 'wss://live.example.org:8443'],
      resourceDomains: ['https://*.cdn.example.org'],
      frameDomains: ['https://player.example.org/embed'],
      baseUriDomains: ['https://base.example.org'],
    });
    const policy = viewPolicy(domains, 'causeway://app');
    expect(policy).toContain('connect-src https://api.example.org wss://live.example.org:8443;');
    expect(policy).toContain("script-src 'self' 'unsafe-inline' https://*.cdn.example.org;");
    expect(policy).toContain('frame-src https://player.example.org/embed;');
    expect(policy).toContain('base-uri https://base.example.org;');
  });

  it.each([
    '*',
    'https:',
    'https://*',
    'https://*.com',
    "'unsafe-eval'",
    'data:',
    'https://a.example; script-src *',
    'https://a.example https://b.example',
    'https://a.example,https://b.example',
    'https://user@a.example',
    'http://localhost:3000',
    'http://app.localhost',
    'http://intranet',
    'http://printer.local',
    'http://127.0.0.1:8080',
    'http://0x7f.1',
    'http://127.1',
    'http://10.1.2.3',
    'http://172.20.0.1',
    'http://192.168.1.1',
    'http://169.254.169.254',
    'http://100.64.0.1',
    'http://0.0.0.0',
    'http://[::1]',
    'ftp://a.example.org',
    `https://${'a'.repeat(300)}.org`,
  ])('never holds %j', (source) => {
    expect(readDomains({ connectDomains: [source] })).toEqual({ domains: NONE, refused: [source.slice(0, 300)] });
    expect(onlyPublic({ ...NONE, connect: [source], frame: [source] })).toEqual(NONE);
  });

  it.each([
    undefined,
    null,
    'https://a.example.org',
    { connectDomains: 'https://a.example.org' },
    { connectDomains: [1] },
  ])('allows nothing for a declaration that is %j', (csp) => {
    expect(readDomains(csp)).toEqual({ domains: NONE, refused: [] });
  });
});
