import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createApp } from '../../../src-main/app.ts';
import { startModelServer } from '../../fixtures/model-server/index.ts';
import { programFiles } from '../../fixtures/program-files.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

const BROKEN = 'export const add = (a, b) => a - b;\n';
const MENDED = 'export const add = (a, b) => a + b;\n';
const TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import { add } from './add.js';

test('two and two are four', () => assert.equal(add(2, 2), 4));
`;

/** A real git repository with a bug and a test that shows it. */
function makeRepository(): string {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module","scripts":{"test":"node --test"}}\n');
  writeFileSync(path.join(folder, 'add.js'), BROKEN);
  writeFileSync(path.join(folder, 'add.test.js'), TEST);
  git(folder, 'init', '-q');
  git(folder, 'add', '.');
  git(folder, '-c', 'user.name=Test', '-c', 'user.email=test@example.org', 'commit', '-q', '-m', 'A bug');
  return folder;
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
}

test('over HTTP, the agent mends a real git repository, runs its own tests in bash, and stops; the edit can be undone', async () => {
  const repository = makeRepository();
  const bash = (command: string) => ({ name: 'bash', arguments: { command } });
  const { baseUrl, received } = await startModelServer([
    { text: 'I look at the tests first.', calls: [bash('npm test --silent')] },
    {
      text: 'add subtracts.',
      calls: [
        {
          name: 'str_replace_editor',
          arguments: { command: 'str_replace', path: 'add.js', old_str: 'a - b', new_str: 'a + b' },
        },
      ],
    },
    { text: 'Once more.', calls: [bash('npm test --silent && git diff --stat')] },
    ({ messages }) => ({
      text: /Exit code [1-9]/.test(JSON.stringify(messages.at(-1))) ? 'It still fails.' : 'Mended.',
    }),
  ]);
  await using app = await createApp({
    version: '0.0.0',
    home: temporaryFolder(),
    workspace: repository,
    files: programFiles,
    env: { ...process.env, OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: 'test-key', CAUSEWAY_MODEL: 'scripted' },
    canAsk: () => false,
  });
  const session = app.store.sessions.create({ title: '', workspace: repository, origin: 'terminal' });
  const run = await app.runTask(session.id, 'Mend the failing test.');

  expect(await run.ended).toMatchObject({ outcome: 'done', message: 'Mended.', steps: 4 });
  expect(received).toHaveLength(4);
  expect(readFileSync(path.join(repository, 'add.js'), 'utf8')).toBe(MENDED);
  expect(git(repository, 'status', '--porcelain').trim()).toBe('M add.js');
  const results = app.store.events
    .read(session.id)
    .flatMap((event) => (event.type === 'tool.ended' ? [event.result] : []));
  expect(results.map(({ isError }) => isError)).toEqual([true, false, false]);

  const [edit] = app.history.list({ sessionId: session.id });
  expect(edit).toMatchObject({ kind: 'modify', added: 1, removed: 1 });
  await app.history.undo(edit?.id ?? 0, { sessionId: session.id, caller: { kind: 'person' } });
  expect(readFileSync(path.join(repository, 'add.js'), 'utf8')).toBe(BROKEN);
});
