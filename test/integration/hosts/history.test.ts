import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  blame,
  editConflict,
  editDetail,
  editView,
  plannedFile,
  revertReport,
  sessionEvent,
  type EditView,
  type SessionEvent,
} from '../../../src-shared/index.ts';
import { commandLine, type Finished } from '../../fixtures/cli.ts';
import { lendTo } from '../../fixtures/lent-cli.ts';
import { startModelServer } from '../../fixtures/model-server/index.ts';

/** The numbers one to nine as lines, some of them replaced. */
function lines(replaced: Record<number, string> = {}): string {
  return Array.from({ length: 9 }, (_, index) => `${replaced[index + 1] ?? `line ${index + 1}`}\n`).join('');
}

/** A command line with short ways to change files and to look at them. */
function historyLine(env: NodeJS.ProcessEnv = {}) {
  const line = commandLine(env);
  const at = (name: string): string => path.join(line.workspace, name);
  const history = (...args: string[]): Promise<Finished> => line.run('history', ...args);
  return {
    ...line,
    at,
    history,
    read: (name: string): string => readFileSync(at(name), 'utf8'),
    byHand: (name: string, text: string): void => writeFileSync(at(name), text),
    bash: (command: string): Promise<Finished> => line.run('call', 'bash', JSON.stringify({ command })),
    async list(...args: string[]): Promise<EditView[]> {
      const { stdout } = await history('list', '--json', ...args);
      return editView.array().parse(JSON.parse(stdout));
    },
  };
}
type HistoryLine = ReturnType<typeof historyLine>;

/** What was listed, by the names of the files, in the order of the alphabet. */
async function namesIn(line: HistoryLine, ...args: string[]): Promise<string[]> {
  return (await line.list(...args)).map((edit) => path.relative(line.workspace, edit.path)).sort();
}

/** A file that a command changed, and a hand after it. Gives the number of the command's edit. */
async function changedSince(line: HistoryLine, byHand: string): Promise<string> {
  line.byHand('a.txt', lines());
  await line.bash('sed -i "s/line 3/edited/" a.txt');
  line.byHand('a.txt', byHand);
  const [edit] = await line.list();
  return String(edit?.id);
}

/** An agent with these steps behind it, each one command; `calls` are their ids. */
async function afterRun(
  ...commands: string[]
): Promise<HistoryLine & { sessionId: string; runId: string; calls: readonly [string, string] }> {
  const steps = commands.map((command) => ({ calls: [{ name: 'bash', arguments: { command } }] }));
  const server = await startModelServer([...steps, { text: 'All done.' }]);
  const line = historyLine({ OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'key', CAUSEWAY_MODEL: 'scripted' });
  expect(await line.run('run', 'do it', '--yes')).toMatchObject({ code: 0, stdout: 'All done.\n' });
  const [edit] = await line.list();
  if (edit?.caller.kind !== 'agent') throw new Error('The agent made no edit');
  const { sessionId, caller } = edit;
  const log = await logOf(line, sessionId);
  const [first = '', second = ''] = log.flatMap((event) => (event.type === 'tool.started' ? [event.callId] : []));
  return { ...line, sessionId, runId: caller.runId, calls: [first, second] };
}

async function logOf(line: HistoryLine, sessionId: string): Promise<SessionEvent[]> {
  const { stdout } = await line.run('sessions', 'show', sessionId, '--json');
  return z.object({ events: sessionEvent.array() }).parse(JSON.parse(stdout)).events;
}

describe('causeway history list', () => {
  it('shows folders with a slash, marks symlinks, and says who made an edit', async () => {
    const line = historyLine();
    await line.bash('mkdir folder; ln -s nowhere link; echo x >file');
    const { stdout } = await line.history('list');
    expect(stdout).toContain(`${line.at('folder')}/\n`);
    expect(stdout).toContain(`${line.at('link')} (symlink)\n`);
    expect(stdout).toMatch(/create {2}applied {2}person {2}\+1 -0 {2}.*\/file\n/);
  });

  it('filters by file, by folder (also one that is gone), by symlink, and by a part of the path', async () => {
    const line = historyLine();
    await line.bash('mkdir -p in/deep; echo x >in/a; echo x >in/deep/b; echo x >out; ln -s out link; ln -s in way');
    expect(await namesIn(line, '--path', 'in/a')).toEqual(['in/a']);
    expect(await namesIn(line, '--path', 'in/')).toEqual(['in/a', 'in/deep', 'in/deep/b']);
    expect(await namesIn(line, '--path', 'way/deep')).toEqual(['in/deep/b']);
    expect(await namesIn(line, '--path', 'link')).toEqual(['link']);
    expect(await namesIn(line, '--name', 'DEEP')).toEqual(['in/deep', 'in/deep/b']);
    await line.bash('rm -r in');
    expect(await namesIn(line, '--path', 'in/deep')).toEqual(['in/deep/b', 'in/deep/b']);
    expect(await namesIn(line, '--path', 'in/deep/b')).toEqual(['in/deep/b', 'in/deep/b']);
  });

  it('filters by tool, session, run and call, and takes the beginning of a session’s id', async () => {
    const line = await afterRun('echo x >one', 'echo x >two');
    const input = { command: 'create', path: line.at('three'), file_text: 'x' };
    await line.run('call', 'str_replace_editor', JSON.stringify(input));
    expect(await namesIn(line, '--tool', 'str_replace_editor')).toEqual(['three']);
    expect(await namesIn(line, '--session', line.sessionId.slice(0, 8))).toEqual(['one', 'two']);
    expect(await namesIn(line, '--run', line.runId)).toEqual(['one', 'two']);
    expect(await namesIn(line, '--call', line.calls[1])).toEqual(['two']);
    expect(await namesIn(line, '--caller', 'agent')).toEqual(['one', 'two']);
    expect(await namesIn(line, '--caller', 'person', '--tool', 'bash')).toEqual([]);
    expect(await namesIn(line, '--limit', '1')).toEqual(['three']);
    expect((await line.history('list', '--call', 'step-3')).stderr).toBe('No edits like that are recorded.\n');
  });

  it('filters by app, by its name or id, and names those who are there for one who is not', async () => {
    const line = historyLine();
    await line.bash('echo x >mine');
    await lendTo(line, 'Some App', { command: 'create', path: line.at('lent'), file_text: 'x' });
    const [edit] = await line.list('--caller', 'some app');
    expect(edit).toMatchObject({ path: line.at('lent'), caller: { kind: 'app', name: 'Some App' } });
    const id = edit?.caller.kind === 'app' ? edit.caller.id : '';
    expect(await namesIn(line, '--caller', id)).toEqual(['lent']);
    const { code, stderr } = await line.history('list', '--caller', 'Other');
    expect(code).toBe(1);
    expect(stderr).toBe('Nobody called "Other" has edited anything. Choose one of agent, person, Some App.\n');
    await lendTo(line, 'SOME APP', { command: 'create', path: line.at('loud'), file_text: 'x' });
    expect(await namesIn(line, '--caller', 'SOME APP')).toEqual(['loud']);
    const several = await line.history('list', '--caller', 'some app');
    expect(several.code).toBe(1);
    expect(several.stderr).toMatch(/^Several apps are called "some app"\. Give the id of one: .+, .+\.\n$/);
    expect(several.stderr).toContain(id);
  });

  it('filters by time: spans back from now, and dates that count whole', async () => {
    const line = historyLine();
    await line.bash('echo x >a');
    const [edit] = await line.list();
    const at = localTime(edit?.at ?? 0);
    expect(await namesIn(line, '--since', '1h')).toEqual(['a']);
    expect(await namesIn(line, '--until', '1h')).toEqual([]);
    for (const length of ['2026-12-01'.length, '2026-12-01 14:00'.length, '2026-12-01 14:00:00'.length]) {
      const named = at.slice(0, length);
      expect(await namesIn(line, '--since', named, '--until', named)).toEqual(['a']);
    }
    expect(await namesIn(line, '--until', '2020-01-01')).toEqual([]);
  });
});

describe('causeway history show', () => {
  it('tells tool, session and call beside the difference', async () => {
    const line = await afterRun('echo new >a');
    const [edit] = await line.list();
    const { stdout } = await line.history('show', String(edit?.id));
    expect(stdout).toContain(`tool bash  session ${line.sessionId}  run ${line.runId}  call ${line.calls[0]}\n`);
    expect(stdout).toContain('\n+new\n');
  });

  it('tells a change of permissions', async () => {
    const line = historyLine();
    line.byHand('a', 'x');
    chmodSync(line.at('a'), 0o644);
    await line.bash('chmod 755 a');
    const [edit] = await line.list();
    expect((await line.history('show', String(edit?.id))).stdout).toContain('\npermissions 644 -> 755\n');
    const { stdout } = await line.history('show', String(edit?.id), '--json');
    expect(editDetail.parse(JSON.parse(stdout)).mode).toEqual({ before: 0o644, after: 0o755 });
  });
});

describe('causeway history undo and redo of many edits', () => {
  it('takes back all that a call did, and does it again', async () => {
    const line = await afterRun('echo one >one', 'mkdir in; echo x >in/a; rm one');
    const { code, stdout } = await line.history('undo', '--call', line.calls[1], '--json');
    expect(code).toBe(0);
    expect(revertReport.parse(JSON.parse(stdout))).toMatchObject({ edits: [{}, {}, {}], left: [] });
    expect({ in: existsSync(line.at('in')), one: line.read('one') }).toEqual({ in: false, one: 'one\n' });
    expect((await line.history('redo', '--call', line.calls[1])).code).toBe(0);
    expect({ in: line.read('in/a'), one: existsSync(line.at('one')) }).toEqual({ in: 'x\n', one: false });
  });

  it('takes back all that a run did, and does it again; twice is once', async () => {
    const line = await afterRun('echo one >one', 'echo two >>one');
    expect((await line.history('undo', '--run', line.runId)).code).toBe(0);
    expect(existsSync(line.at('one'))).toBe(false);
    expect(await line.history('undo', '--run', line.runId)).toMatchObject({
      code: 0,
      stderr: 'There was nothing to do: all is like that already.\n',
    });
    expect((await line.history('redo', '--run', line.runId)).code).toBe(0);
    expect(line.read('one')).toBe('one\ntwo\n');
  });

  it('goes back to how a session was right after an edit, or before all', async () => {
    const line = await afterRun('echo 1 >a', 'echo 2 >a', 'echo 3 >a; echo 3 >b');
    const [first] = (await line.list()).map(({ id }) => id).sort((a, b) => a - b);
    const since = ['undo', '--session', line.sessionId, '--since', String(first)];
    expect((await line.history(...since)).code).toBe(0);
    expect({ a: line.read('a'), b: existsSync(line.at('b')) }).toEqual({ a: '1\n', b: false });
    expect((await line.history('undo', '--session', line.sessionId)).code).toBe(0);
    expect(existsSync(line.at('a'))).toBe(false);
    // What was taken back since comes back too.
    expect((await line.history(...since)).code).toBe(0);
    expect(line.read('a')).toBe('1\n');
  });

  it('leaves what was changed since, says so on stderr, and ends with exit code 1', async () => {
    const line = await afterRun('echo 1 >a; echo 1 >b');
    line.byHand('a', 'by hand\n');
    const { code, stdout, stderr } = await line.history('undo', '--call', line.calls[0]);
    expect(code).toBe(1);
    expect(stdout).toContain(line.at('b'));
    expect(stderr).toMatch(/^Left as it is: .*\/a \(edit \d+\)\. .+changed since.+\n1 file was left as it is\. .+\n$/);
    expect({ a: line.read('a'), b: existsSync(line.at('b')) }).toEqual({ a: 'by hand\n', b: false });
  });

  it('tells what would happen, file by file, and changes nothing with --dry-run', async () => {
    const line = await afterRun('echo 1 >a; echo 1 >b; mkdir c');
    line.byHand('a', 'by hand\n');
    const { code, stdout, stderr } = await line.history('undo', '--run', line.runId, '--dry-run');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^leave +edit \d+ +.*\/a\ndelete +edit \d+ +.*\/b\ndelete +edit \d+ +.*\/c\/\n$/);
    expect(stderr).toMatch(/^Would be left as it is: .*\/a .+\n1 file would be left as it is\. .+\n$/);
    const plan = await line.history('undo', '--call', line.calls[0], '--dry-run', '--json');
    expect(plannedFile.array().parse(JSON.parse(plan.stdout))).toHaveLength(3);
    expect((await line.list()).every(({ state }) => state === 'applied')).toBe(true);
    expect(line.read('b')).toBe('1\n');
  });

  it('says that a call has no edits, and where ids are', async () => {
    expect(await historyLine().history('undo', '--call', 'step-1')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The call step-1 has no edits in the history\. "causeway history show EDIT" .+\n$/,
      ),
    });
  });
});

describe('causeway history undo and redo of one edit', () => {
  it('tells with --dry-run what would become of the newest, of a redo, and of the undo of an undo', async () => {
    const line = historyLine();
    line.byHand('a', 'old\n');
    await line.bash('rm a');
    const [gone] = await line.list();
    const plan = async (...args: string[]) => (await line.history(...args, '--dry-run')).stdout.split(' ', 1)[0];
    expect(await plan('undo')).toBe('create');
    await line.history('undo');
    const [back] = await line.list();
    expect(await plan('redo', String(gone?.id))).toBe('delete');
    expect(await plan('undo', String(back?.id))).toBe('delete');
    expect(await line.history('undo', String(gone?.id), '--dry-run')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('its state is "undone"'),
    });
    expect(line.read('a')).toBe('old\n');
  });

  it('takes the newest edit of a symlink or of what it leads to', async () => {
    const line = historyLine();
    line.byHand('old', 'x\n');
    await line.bash('ln -s old link');
    await line.bash('echo y >old');
    expect((await line.history('undo', '--path', 'link')).code).toBe(0);
    expect(existsSync(line.at('link'))).toBe(false);
    expect(line.read('old')).toBe('y\n');
  });

  it('takes back one edit each when three programs do it at once', async () => {
    const line = historyLine();
    await line.bash('echo 1 >a');
    for (const text of [2, 3, 4]) await line.bash(`echo ${text} >a`);
    const all = await Promise.all([line.history('undo'), line.history('undo'), line.history('undo')]);
    expect(all.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(3).fill({ code: 0, stderr: '' }));
    expect(new Set(all.map(({ stdout }) => stdout)).size).toBe(3);
    expect(line.read('a')).toBe('1\n');
  });

  it('finds the newest in its own workspace behind many edits elsewhere', async () => {
    const [here, elsewhere] = [historyLine(), commandLine()];
    await here.bash('echo x >a');
    const many = JSON.stringify({ command: 'for n in $(seq 600); do echo x >$n; done' });
    await here.run('call', 'bash', many, '--workspace', elsewhere.workspace);
    expect((await here.history('undo')).stdout).toContain(here.at('a'));
    expect(existsSync(here.at('a'))).toBe(false);
  });
});

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
