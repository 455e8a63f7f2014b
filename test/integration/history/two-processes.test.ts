import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { History } from '../../../src-main/history/index.ts';
import { agentActor, openTestHistory } from '../../fixtures/history/open.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

function change(history: History, file: string, before: string, after: string): ReturnType<History['apply']> {
  return history.apply({ path: file, before: Buffer.from(before), after: Buffer.from(after), actor: agentActor });
}

describe('two journals on one database', () => {
  it('do not judge each other’s edits while they are being made', async () => {
    const home = temporaryFolder();
    const workspace = temporaryFolder();
    const file = path.join(workspace, 'file.txt');
    writeFileSync(file, 'old');
    const { promise: written, resolve: letWrite } = Promise.withResolvers<undefined>();
    const { promise: writing, resolve: startsWriting } = Promise.withResolvers<undefined>();
    using slow = await openTestHistory(home, workspace, (files) => ({
      ...files,
      async write(target, chunks, options) {
        startsWriting(undefined);
        await written;
        return files.write(target, chunks, options);
      },
    }));
    using other = await openTestHistory(home, workspace);
    const edit = change(slow.history, file, 'old', 'new');
    await writing;

    expect(await other.history.recover()).toEqual({ finished: 0, dropped: 0, conflicts: [] });
    await expect(change(other.history, file, 'old', 'other')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('just being changed'),
    });
    letWrite(undefined);
    expect(await edit).toMatchObject({ state: 'applied' });
    expect(readFileSync(file, 'utf8')).toBe('new');
  });

  it('give one of two edits of the same text the file, and the other a conflict', async () => {
    const home = temporaryFolder();
    const workspace = temporaryFolder();
    const file = path.join(workspace, 'file.txt');
    using one = await openTestHistory(home, workspace);
    using two = await openTestHistory(home, workspace);
    let text = 'start';
    writeFileSync(file, text);
    for (let round = 0; round < 20; round += 1) {
      const outcomes = await Promise.allSettled([
        change(one.history, file, text, `one ${round}`),
        change(two.history, file, text, `two ${round}`),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      text = readFileSync(file, 'utf8');
      expect([`one ${round}`, `two ${round}`]).toContain(text);
    }
    expect(one.history.list().length).toBe(20);
    expect(two.history.list()).toEqual(one.history.list());
  });

  it('see and take back each other’s edits', async () => {
    const home = temporaryFolder();
    const workspace = temporaryFolder();
    const file = path.join(workspace, 'file.txt');
    writeFileSync(file, 'old');
    using one = await openTestHistory(home, workspace);
    using two = await openTestHistory(home, workspace);
    const edit = await change(one.history, file, 'old', 'new');
    const outcomes = await Promise.allSettled([
      one.history.undo(edit.id, agentActor),
      two.history.undo(edit.id, agentActor),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe('old');
  });
});
