import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { agentActor } from '../../fixtures/history/open.ts';
import { openWatchedHistory } from '../../fixtures/history/watched.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

const NAMES = ['a', 'b c', 'd/e', 'd/f/g'];
const name = fc.constantFrom(...NAMES);

/** Everything below a folder: bytes and permission bits of files, where symlinks lead, permission bits of folders. */
function treeOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry): [string, string] => {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) return [path.relative(folder, file), `-> ${readlinkSync(file)}`];
    const held = entry.isFile() ? readFileSync(file).toString('latin1') : '/';
    return [path.relative(folder, file), `${(lstatSync(file).mode & 0o7777).toString(8)} ${held}`];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('edit' as const), name, text: fc.string({ maxLength: 12 }) }),
  fc.record({
    kind: fc.constant('command' as const),
    script: fc.oneof(
      name.map((file) => `mkdir -p d/f; echo x >>'${file}'`),
      name.map((file) => `chmod 700 '${file}'`),
      name.map((file) => `rm -rf '${file}'`),
      fc.tuple(name, name).map(([from, to]) => `mv '${from}' '${to}'`),
      fc.constantFrom('rm -rf d', 'ln -sfn a d', 'mkdir -p e/f', 'chmod 750 d'),
    ),
  }),
  fc.record({ kind: fc.constantFrom('undo' as const, 'redo' as const, 'undo call' as const), of: fc.nat(30) }),
  fc.record({ kind: fc.constant('back' as const), to: fc.nat(30) }),
);

it('random edits, commands, undos and goings back, all taken back in the end, leave every byte, mode and name as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const folder = temporaryFolder();
      using opened = await openWatchedHistory(temporaryFolder(), folder);
      const { history, snapshots } = opened;
      mkdirSync(path.join(folder, 'd/f'), { recursive: true });
      for (const file of NAMES) writeFileSync(path.join(folder, file), `${file}\r\nof old\n`);
      chmodSync(path.join(folder, 'a'), 0o755);
      /** The tree as it was after each edit of the session, by that edit's number. */
      const model = new Map<number, Record<string, string>>([[0, treeOf(folder)]]);
      let calls = 0;
      for (const one of steps) {
        const edits = history.list({ limit: 1000 }).filter(({ of }) => of === undefined);
        const chosen = 'of' in one ? edits[one.of % Math.max(1, edits.length)] : undefined;
        calls += 1;
        if (one.kind === 'edit') {
          const file = path.join(folder, one.name);
          const [stat] = [lstatSync(file, { throwIfNoEntry: false })];
          // A name whose folder is gone, a file or a symlink now is no name for an edit.
          if (stat && !stat.isFile()) continue;
          const above = path.dirname(file);
          if (!existsSync(above) || realpathSync(above) !== above || !lstatSync(above).isDirectory()) continue;
          const before = existsSync(file) ? readFileSync(file) : null;
          const after = Buffer.from(one.text);
          if (before?.equals(after)) continue;
          await history.apply({ path: file, before, after, actor: agentActor }).catch(() => undefined);
        } else if (one.kind === 'command') {
          await opened.watch(`call-${calls}`, () => {
            execFileSync('bash', ['-c', `{ ${one.script}; } 2>/dev/null || true`], { cwd: folder });
          });
        } else if (one.kind === 'back') {
          const known = [...model.keys()];
          const since = known[one.to % known.length] ?? 0;
          const { left } = await history.revert({ sessionId: agentActor.sessionId, since }, 'undo', agentActor);
          expect(left).toEqual([]);
          expect(treeOf(folder)).toEqual(model.get(since));
        } else if (chosen && one.kind === 'undo call') {
          await history.revert({ callId: chosen.callId ?? '' }, 'undo', agentActor);
        } else if (chosen && (one.kind === 'undo' || one.kind === 'redo')) {
          await history[one.kind](chosen.id, agentActor).catch(() => undefined);
        }
        model.set(history.list({ limit: 1 })[0]?.id ?? 0, treeOf(folder));
      }
      const { left } = await history.revert({ sessionId: agentActor.sessionId, since: 0 }, 'undo', agentActor);
      expect(left).toEqual([]);
      expect(treeOf(folder)).toEqual(model.get(0));
      await snapshots[Symbol.asyncDispose]();
      await history[Symbol.asyncDispose]();
    }),
    { numRuns: 25 },
  );
});
