import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createLocalOperator } from '../../../src-main/operator/index.ts';
import { createMarkParser, type Mark } from '../../../src-main/tools/bash/mark-parser.ts';
import { commandFile, shellScript, triggerLine } from '../../../src-main/tools/bash/shell-script.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';

/** The newest bash there is, taking the way that our script takes in bash before 4.4. */
async function openOldBash(): Promise<{ run(command: string): Promise<{ text: string; mark: Mark }> }> {
  const folder = temporaryFolder();
  const rcFile = path.join(folder, 'rc');
  const file = path.join(folder, 'command');
  writeFileSync(rcFile, shellScript({ nonce: 'nonce', familyMark: 'family', likeOldBash: true }));
  const operator = await createLocalOperator({ workspace: folder });
  const terminal = operator.openTerminal({
    argv: ['bash', '--noprofile', '--noediting', '--rcfile', rcFile, '-i'],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    columns: 80,
    rows: 24,
  });
  const marks: Mark[] = [];
  let text = '';
  const parser = createMarkParser('nonce', {
    text: (bytes) => (text += Buffer.from(bytes).toString()),
    mark: (mark) => {
      if (mark.kind === 'start') text = '';
      marks.push(mark);
    },
  });
  terminal.onData((bytes) => parser.push(bytes));
  await waitFor(() => marks.some(({ kind }) => kind === 'prompt'));
  let number = 0;
  return {
    async run(command) {
      number += 1;
      marks.length = 0;
      writeFileSync(file, commandFile(number, command));
      terminal.write(triggerLine(number, file, 'secret'));
      const isOver = ({ kind }: Mark): boolean => kind === 'end' || kind === 'prompt' || kind === 'leaving';
      await waitFor(() => marks.some(isOver));
      return { text, mark: marks.find(isOver) ?? expect.unreachable() };
    },
  };
}

test('in an old bash options last, and neither traces nor ends our own functions', async () => {
  const bash = await openOldBash();
  expect((await bash.run('set -u; (exit 3)')).mark).toMatchObject({ kind: 'end', status: 3 });
  expect((await bash.run('echo "$? $-"')).text).toMatch(/^3 \S*u/);
  expect((await bash.run('echo "$nothing"')).mark).toMatchObject({ status: 1 });
  expect((await bash.run('set +u; set -x')).mark).toMatchObject({ kind: 'end', status: 0 });
  expect((await bash.run('echo traced')).text).toMatch(/echo traced\ntraced\n$/);
  expect((await bash.run('set +x; set -e')).mark).toMatchObject({ kind: 'end', status: 0 });
  expect((await bash.run('echo lives')).text).toBe('lives\n');
  expect((await bash.run('false')).mark).toMatchObject({ kind: 'leaving' });
});
