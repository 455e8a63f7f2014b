import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settings } from '../../../src-shared/index.ts';
import { reaches, readRule, ruleFor } from '../../../src-main/sandbox/network/rules.ts';

const allows = (rules: string[], host: string, port = 443): boolean =>
  ruleFor(rules.map(readRule), host, port) !== undefined;

describe('a rule for allowed hosts', () => {
  it('names one host, in any case and with or without the last dot, on the ports of the web', () => {
    for (const host of ['example.org', 'EXAMPLE.org', 'example.org.']) expect(allows(['Example.ORG'], host)).toBe(true);
    for (const host of ['example.org.evil.net', 'notexample.org', 'www.example.org', 'example.orgx']) {
      expect(allows(['example.org'], host)).toBe(false);
    }
    expect(allows(['example.org'], 'example.org', 80)).toBe(true);
    expect(allows(['example.org'], 'example.org', 22)).toBe(false);
  });

  it('names a port, and then no other', () => {
    expect(allows(['example.org:8443'], 'example.org', 8443)).toBe(true);
    expect(allows(['example.org:8443'], 'example.org', 443)).toBe(false);
    expect(allows(['[::1]:8080'], '[::1]', 8080)).toBe(true);
  });

  it('names no port that there is not', () => {
    for (const [port, is] of [
      [1, true],
      [65_535, true],
      [0, false],
      [65_536, false],
      [99_999, false],
    ] as const) {
      for (const host of ['example.org', '*.example.org', '[::1]']) {
        const hosts = [`${host}:${port}`];
        const parts = { python: { network: hosts }, shell: { network: hosts } };
        expect([
          settings.safeParse(parts).success,
          settings.safeParse({ python: { packageHosts: hosts } }).success,
        ]).toEqual([is, is]);
      }
    }
  });

  it('covers all hosts below a domain, and nothing beside them', () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), label, (below, word) => {
        const domain = 'example.org';
        expect(allows([`*.${domain}`], [...below, domain].join('.'))).toBe(true);
        expect(allows([`*.${domain}`], `${below.join('.')}${domain}`)).toBe(below.join('.').endsWith('.'));
        expect(allows([`*.${domain}`], `${[...below, domain].join('.')}.${word}x`)).toBe(false);
        expect(allows([`*.${domain}`], domain)).toBe(false);
      }),
    );
  });

  it('does not lead to this machine by a name, nor to a private network by a star', () => {
    const named = readRule('example.org');
    const star = readRule('*.example.org');
    for (const address of [
      '127.0.0.1',
      '127.8.8.8',
      '0.0.0.0',
      '169.254.169.254',
      '::1',
      'fe80::1',
      '::ffff:127.0.0.1',
    ]) {
      expect([reaches(named, address), reaches(star, address)]).toEqual([false, false]);
    }
    for (const address of ['10.1.2.3', '172.20.0.1', '192.168.1.1', 'fd00::1', '::ffff:10.0.0.1']) {
      expect([reaches(named, address), reaches(star, address)]).toEqual([true, false]);
    }
    expect([reaches(star, '93.184.215.14'), reaches(star, '2606:2800:21f::1')]).toEqual([true, true]);
    expect(reaches(readRule('127.0.0.1:8080'), '127.0.0.1')).toBe(true);
    expect(reaches(readRule('localhost'), '::1')).toBe(true);
  });
});

describe('the setting', () => {
  const check = (network: unknown): boolean => settings.safeParse({ shell: { network } }).success;

  it('takes hosts as people write them', () => {
    expect(
      check(['example.org', '*.example.org', 'example.org:8080', '127.0.0.1:3000', '[::1]:3000', 'bücher.example']),
    ).toBe(true);
  });

  it.each([
    ['https://example.org'],
    ['example.org/path'],
    ['*'],
    ['a b'],
    [''],
    ['*.*.org'],
    ['host:99999999'],
    ['user@host'],
  ])('refuses %j', (rule) => expect(check([rule])).toBe(false));
});
