import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withFileLock } from '../../../src-main/platform/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

const HOLDER = path.resolve(import.meta.dirname, '../../fixtures/servers/lock-holder.ts');

describe('a file lock', () => {
  it('lets one at a time work, in the order of their luck, and frees itself when the work fails', async () => {
    const file = path.join(temporaryFolder(), 'one.lock');
    let working = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      working += 1;
      most = Math.max(most, working);
      await new Promise((resolve) => setImmediate(resolve));
      working -= 1;
      throw new Error('it failed');
    };
    const all = await Promise.allSettled(
      Array.from({ length: 5 }, () => withFileLock(file, work, { deadlineMs: 10_000 })),
    );
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'));
    expect(most).toBe(1);
  });

  it('keeps other processes out until its holder dies, however it dies', async () => {
    const file = path.join(temporaryFolder(), 'one.lock');
    const holder = spawn(process.execPath, [HOLDER, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void holder.kill('SIGKILL'));
    await once(holder.stdout, 'data');
    const early = withFileLock(file, async () => 'mine', { deadlineMs: 50 });
    await expect(early).rejects.toMatchObject({ code: 'timeout' });
    holder.kill('SIGKILL');
    await expect(withFileLock(file, async () => 'mine', { deadlineMs: 10_000 })).resolves.toBe('mine');
  });
});
