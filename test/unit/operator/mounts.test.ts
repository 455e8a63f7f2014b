import { describe, expect, it } from 'vitest';
import { writableOutside } from '../../../src-main/operator/sandboxed/mounts.ts';

describe('what a sandbox lets be written', () => {
  it('is the workspace, with whatever is mounted in it, and devices', () => {
    const table = [
      '1 0 0:1 / / ro,nosuid - tmpfs tmpfs rw',
      '2 1 0:2 / /dev/pts rw - devpts devpts rw',
      '3 1 8:1 /w /the\\040workspace rw,nosuid - ext4 /dev/x rw',
      '4 3 8:1 /w/.git /the\\040workspace/.git rw - ext4 /dev/x rw',
    ].join('\n');
    expect(writableOutside('/the workspace', table)).toEqual([]);
  });

  it('is told when it is anything else', () => {
    expect(writableOutside('/work', '1 0 8:1 /x /usr/share/x rw - ext4 /dev/x rw\n')).toEqual(['/usr/share/x']);
  });
});
