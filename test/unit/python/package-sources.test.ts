import { describe, expect, it } from 'vitest';
import { settings } from '../../../src-shared/index.ts';
import { sourcesOf } from '../../../src-main/tools/python/packages/sources.ts';

describe('the hosts that packages may come from', () => {
  it('are each named once, that of the index first', () => {
    const python = { packageIndex: 'http://localhost:8941/simple', packageHosts: ['other.example', 'localhost:8941'] };
    expect(sourcesOf(settings.parse({ python })).hosts).toEqual(['localhost:8941', 'other.example']);
  });
});
