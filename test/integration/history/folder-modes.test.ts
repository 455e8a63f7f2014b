import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RevertKind } from '../../../src-shared/index.ts';
import { agentActor } from '../../fixtures/history/open.ts';
import { openWatchedHistory } from '../../fixtures/history/watched.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

/** A workspace in which `a/x` has been there from the start. */
async function open() {
  const workspace = temporaryFolder();
  const a = path.join(workspace, 'a');
  mkdirSync(a);
  writeFileSync(path.join(a, 'x'), 'x');
  chmodSync(a, 0o755);
  const opened = await openWatchedHistory(temporaryFolder(), workspace);
  return {
    ...opened,
    a,
    mode: (): string => (statSync(a).mode & 0o777).toString(8),
    bash: (callId: string, script: string) =>
      opened.watch(callId, () => void execFileSync('bash', ['-c', script], { cwd: workspace })),
    async back(callId: string, kind: RevertKind): Promise<void> {
      expect((await opened.history.revert({ callId }, kind, agentActor)).left).toEqual([]);
    },
  };
}

describe('permission bits of a folder that may not be written', () => {
  it('are as they were when its making is taken back to before all, and a step done again', async () => {
    using bench = await open();
    await bench.bash('close', 'chmod 555 a');
    await bench.bash('remove', 'rm -rf a');
    const all = { sessionId: agentActor.sessionId, since: 0 };
    expect((await bench.history.revert(all, 'undo', agentActor)).left).toEqual([]);
    expect(bench.mode()).toBe('755');
    await bench.back('close', 'redo');
    expect(bench.mode()).toBe('555');
  });

  it('are set when a going back goes on that was killed before it closed the folder', async () => {
    using bench = await open();
    chmodSync(bench.a, 0o500);
    await bench.bash('remove', 'rm -rf a');
    await bench.back('remove', 'undo');
    expect(bench.mode()).toBe('500');
    // As the kill leaves it: the folder is open, and a file is still missing.
    chmodSync(bench.a, 0o700);
    const [file] = bench.history.list({ path: path.join(bench.a, 'x') });
    await bench.history.undo(file?.id ?? 0, agentActor);
    await bench.history.revert({ callId: 'remove' }, 'undo', agentActor);
    expect(readFileSync(path.join(bench.a, 'x'), 'utf8')).toBe('x');
    expect(bench.mode()).toBe('500');
  });
});
