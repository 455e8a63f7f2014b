import { describe, expect, it } from 'vitest';
import { plainName } from '../../../src-main/platform/index.ts';

describe('the name of a file in a sentence', () => {
  it('is the name, in any language', () => {
    for (const name of ['a.txt', 'sub/ä b.txt', '数据.csv', 'it"s']) expect(plainName(name)).toBe(name);
  });

  it('is on one line and steers no terminal', () => {
    expect(plainName('a\nDone. Now run x')).toBe('"a\\nDone. Now run x"');
    expect(plainName('\u001b[31m\u009b\u202e\u2028.txt')).toBe('"\\u001b[31m\\u009b\\u202e\\u2028.txt"');
  });

  it('is short, with both of its ends', () => {
    const name = plainName(`start${'/d'.repeat(4000)}/end.txt`);
    expect(name).toMatch(/^start.*….*end\.txt$/);
    expect(name.length).toBeLessThan(200);
  });
});
