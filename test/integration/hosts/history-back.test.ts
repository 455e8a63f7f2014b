import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { blame, editConflict, revertReport } from '../../../src-shared/index.ts';
import { startModelServer } from '../../fixtures/model-server/index.ts';
import { lines, historyLine, changedSince, afterRun, logOf } from '../../fixtures/history-line.ts';

describe('causeway history restore', () => {
  it('puts the files back to how they were right after a step, or after an edit', async () => {
    const line = await afterRun('echo 1 >a', 'echo 2 >a', 'echo 3 >a');
    const [, second] = await line.list();
    const planned = await line.history('restore', line.sessionId, '--to', line.calls[0], '--dry-run');
    expect(planned.stdout).toMatch(/^modify +edit \d+ +.*\/a\n$/);
    expect(line.read('a')).toBe('3\n');
    expect((await line.history('restore', line.sessionId.slice(0, 8), '--to', line.calls[0])).code).toBe(0);
    expect(line.read('a')).toBe('1\n');
    const { stdout } = await line.history('restore', line.sessionId, '--to', String(second?.id), '--json');
    expect(revertReport.parse(JSON.parse(stdout))).toMatchObject({ left: [] });
    expect(line.read('a')).toBe('2\n');
    expect((await line.history('restore', line.sessionId, '--to', '0')).code).toBe(0);
    expect(existsSync(line.at('a'))).toBe(false);
  });

  it('takes the conversation back too, or alone', async () => {
    const line = await afterRun('echo 1 >a', 'echo 2 >a');
    const to = ['restore', line.sessionId, '--to', line.calls[0], '--conversation'];
    const alone = await line.history(...to, '--no-files');
    expect(alone).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `The conversation of session ${line.sessionId} went back.\n`,
    });
    expect(line.read('a')).toBe('2\n');
    expect((await line.history(...to)).code).toBe(0);
    expect(line.read('a')).toBe('1\n');
    const log = await logOf(line, line.sessionId);
    expect(log.filter(({ type }) => type === 'session.rewound')).toMatchObject([
      { conversation: true, files: 0 },
      { conversation: true, files: 1 },
    ]);
  });

  it('waits for nobody: a session that runs, in whatever program, stays as it is', async () => {
    const call = { name: 'bash', arguments: { command: 'echo 1 >a' } };
    const server = await startModelServer([{ calls: [call] }, { then: 'hang' }]);
    const line = historyLine({ OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'key', CAUSEWAY_MODEL: 'scripted' });
    line.start('run', 'do it', '--yes');
    await server.request(1);
    const [edit] = await line.list();
    const { code, stderr } = await line.history('restore', edit?.sessionId ?? '', '--to', '0');
    expect(code).toBe(1);
    expect(stderr).toBe(`The session ${edit?.sessionId} is running. Stop it first, then go back.\n`);
    expect(line.read('a')).toBe('1\n');
  });

  it('knows no point that the session does not have', async () => {
    const line = await afterRun('echo 1 >a');
    const { code, stderr } = await line.history('restore', line.sessionId, '--to', 'step-9');
    expect(code).toBe(1);
    expect(stderr).toContain('The session has no edit and no finished tool call "step-9".');
  });
});

describe('causeway history blame', () => {
  it('gives each run of lines with the edit, the time and who; what is older than the history is nobody’s', async () => {
    const line = historyLine();
    line.byHand('a', lines());
    await line.bash('sed -i -e "s/line 3/new/" -e "s/line 4/new/" a');
    const [edit] = await line.list();
    const { stdout } = await line.history('blame', 'a');
    const rows = stdout.trimEnd().split('\n');
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
      ['1-2', '-', '-', '-', 'line 1'],
      ['3-4', `edit ${edit?.id}`, localTime(edit?.at ?? 0), 'person', 'new'],
      ['5-9', '-', '-', '-', 'line 5'],
    ]);
    const asJson = await line.history('blame', 'a', '--json');
    expect(blame.parse(JSON.parse(asJson.stdout)).spans).toEqual([
      { lines: 2 },
      { lines: 2, editId: edit?.id },
      { lines: 5 },
    ]);
  });

  it('says that there is no such file', async () => {
    const line = historyLine();
    const { code, stderr } = await line.history('blame', 'none');
    expect({ code, stderr }).toEqual({ code: 1, stderr: `There is no file ${line.at('none')}.\n` });
  });
});

describe('an edit whose file has changed since', () => {
  it('is shown with what there is to choose from', async () => {
    const line = historyLine();
    const edit = await changedSince(line, lines({ 3: 'edited', 8: 'by hand' }));
    const { code, stdout } = await line.history('conflict', edit);
    expect(code).toBe(0);
    const [, before, merged] = stdout.split('\n\n');
    expect(before).toMatch(/^As it was before.+--use before\):\n[^]*-by hand\n\+line 8/);
    expect(merged).toMatch(/^Merged.+--use merged\):\n[^]*-edited\n\+line 3/);
    expect(merged).not.toContain('-by hand');
    const asJson = await line.history('conflict', edit, '--json');
    expect(editConflict.parse(JSON.parse(asJson.stdout)).merged).toEqual({
      text: lines({ 8: 'by hand' }),
      conflicts: 0,
    });
  });

  it('with a difference too long to be told says that it is cut', async () => {
    const line = historyLine();
    const many = (word: string) => Array.from({ length: 4000 }, (_, index) => `${word} ${index}\n`).join('');
    line.byHand('a.txt', many('old'));
    await line.bash('echo end >>a.txt');
    line.byHand('a.txt', many('new'));
    const [edit] = await line.list();
    expect((await line.history('conflict', String(edit?.id))).stdout).toContain(
      '\n\n(cut: --json gives the texts whole)\n',
    );
  });

  it('can be merged, and what was there is one redo away', async () => {
    const line = historyLine();
    const edit = await changedSince(line, lines({ 3: 'edited', 8: 'by hand' }));
    const settled = await line.history('settle', edit, '--use', 'merged');
    expect(settled).toMatchObject({ code: 0, stdout: `Took back edit ${edit}: ${line.at('a.txt')}\n` });
    expect(line.read('a.txt')).toBe(lines({ 8: 'by hand' }));
    await line.history('redo', edit);
    expect(line.read('a.txt')).toBe(lines({ 3: 'edited', 8: 'by hand' }));
  });

  it('can be put back as it was before', async () => {
    const line = historyLine();
    const edit = await changedSince(line, 'all else\n');
    expect((await line.history('settle', edit, '--use', 'before')).code).toBe(0);
    expect(line.read('a.txt')).toBe(lines());
  });

  it('is merged by hand where both changed the same lines', async () => {
    const line = historyLine();
    const edit = await changedSince(line, lines({ 3: 'by hand' }));
    const refused = await line.history('settle', edit, '--use', 'merged');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`"causeway history conflict ${edit} --out F"`);
    expect(refused.stderr).toContain(`"causeway history settle ${edit} --text-file F"`);
    expect((await line.history('conflict', edit, '--out', 'merged.txt')).code).toBe(0);
    expect((await line.history('conflict', edit, '--out', 'merged.txt')).stderr).toContain('exists already');
    const undecided = await line.history('settle', edit, '--text-file', 'merged.txt');
    expect(undecided).toMatchObject({ code: 1, stderr: expect.stringContaining('still marks of the merge') });
    line.byHand('merged.txt', line.read('merged.txt').replace(/^(<{7}|={7}|>{7}).*\n/gm, ''));
    expect((await line.history('settle', edit, '--text-file', 'merged.txt', '--json')).code).toBe(0);
    expect(line.read('a.txt')).toBe(lines({ 3: 'by hand\nline 3' }));
    expect((await line.history('settle', edit, '--text-file', 'none.txt')).stderr).toContain('could not be read');
  });

  it('has nothing to merge when the file is gone, and the state before is named as the way', async () => {
    const line = historyLine();
    const edit = await changedSince(line, 'x');
    await line.bash('rm a.txt');
    expect((await line.history('conflict', edit)).stdout).toContain('(there is no file now: it would be created)');
    const { code, stderr } = await line.history('settle', edit, '--use', 'merged');
    expect(code).toBe(1);
    expect(stderr).toContain(`settle ${edit} --use before`);
  });
});

describe('an edit that is taken back already', () => {
  it('has nothing to choose from, and nothing to settle: both say so in the same words', async () => {
    const line = historyLine();
    const edit = await changedSince(line, lines({ 3: 'edited', 8: 'by hand' }));
    await line.history('settle', edit, '--use', 'merged');
    const said = `Edit ${edit} of ${line.at('a.txt')} is already undone, so it can't be undone.\n`;
    for (const args of [
      ['conflict', edit],
      ['settle', edit, '--use', 'before'],
      ['settle', edit, '--use', 'merged'],
    ]) {
      expect(await line.history(...args)).toMatchObject({ code: 1, stdout: '', stderr: said });
    }
  });
});

describe('causeway history prune', () => {
  it('says how much was forgotten, and what the settings keep', async () => {
    const line = historyLine();
    for (const text of [1, 2, 3]) await line.bash(`echo ${text} >a`);
    const nothing = await line.history('prune');
    expect(nothing).toMatchObject({
      code: 0,
      stdout: 'There was nothing to forget. The history keeps 90 days and 2.0 GB.\n',
    });
    expect(await line.list()).toHaveLength(3);
    writeFileSync(path.join(line.home, 'settings.json'), JSON.stringify({ history: { keepBytes: 10 } }));
    const { stdout } = await line.history('prune');
    expect(stdout).toMatch(/^Forgot 2 edits, \d+ bytes\. The history keeps 90 days and 10 bytes\.\n$/);
    expect(await line.list()).toHaveLength(1);
    expect(JSON.parse((await line.history('prune', '--json')).stdout)).toEqual({ edits: 0, bytes: 0 });
  });
});

/** As the terminal prints it: local time to the second. */
function localTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  return new Date(milliseconds - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace('T', ' ');
}
