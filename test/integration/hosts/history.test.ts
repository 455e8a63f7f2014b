import Database from 'better-sqlite3';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { editDetail, plannedFile, revertReport } from '../../../src-shared/index.ts';
import { commandLine } from '../../fixtures/cli.ts';
import { lendTo } from '../../fixtures/lent-cli.ts';
import { historyLine, namesIn, afterRun } from '../../fixtures/history-line.ts';

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

  it('says how many there are where it lists only some, and lists all when told to', async () => {
    const line = historyLine();
    await line.bash('for n in $(seq 60); do echo x >$n; done');
    const some = await line.history('list');
    expect(some.stdout.trimEnd().split('\n')).toHaveLength(50);
    expect(some.stderr).toBe('These are 50 of 60: see more with --limit N, or --all.\n');
    expect((await line.history('list', '--limit', '7', '--json')).stderr).toContain('These are 7 of 60');
    expect((await line.history('list', '--limit', '1', '--name', '/6')).stderr).toContain('These are 1 of 2');
    expect(await line.history('list', '--limit', '60')).toMatchObject({ stderr: '' });
    expect(await line.list('--all')).toHaveLength(60);
  });

  it('takes relative paths from the workspace, wherever the person is', async () => {
    const line = historyLine();
    await line.bash('mkdir in; echo x >in/a; echo x >in/b');
    const elsewhere = commandLine({ CAUSEWAY_HOME: line.home });
    const there = ['--workspace', line.workspace];
    expect((await elsewhere.run('history', 'list', '--path', 'in', ...there)).stdout).toContain(line.at('in/a'));
    expect((await elsewhere.run('history', 'list', '--path', '.', ...there)).stdout).toContain(line.at('in/a'));
    expect((await elsewhere.run('history', 'blame', 'in/a', ...there)).stdout).toMatch(/^1 +edit \d+/);
    expect((await elsewhere.run('history', 'undo', '--path', 'in/a', ...there)).code).toBe(0);
    expect(existsSync(line.at('in/a'))).toBe(false);
    // Without one it is the current folder that counts.
    const within = commandLine({ CAUSEWAY_HOME: line.home });
    expect(await within.run('history', 'undo', '--path', 'in/b')).toMatchObject({ code: 1 });
    expect(existsSync(line.at('in/b'))).toBe(true);
  });

  it('finds nothing, and breaks over nothing, where a path goes on below a file or leads in a circle', async () => {
    const line = historyLine();
    await line.bash('echo x >file; ln -s circle circle');
    for (const file of ['file/below', 'circle/below', 'n'.repeat(300)]) {
      expect(await line.history('list', '--path', file)).toMatchObject({
        code: 0,
        stderr: 'No edits like that are recorded.\n',
      });
      expect((await line.history('undo', '--path', file)).stderr).toContain('There is no edit of');
      expect((await line.history('blame', file)).stderr).not.toMatch(/E[A-Z]{4,}/);
    }
    expect((await line.history('undo', '--path', 'circle')).code).toBe(0);
    expect(existsSync(line.at('file'))).toBe(true);
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

  it('takes back what a call did also where its session is not known any more', async () => {
    const line = historyLine();
    line.byHand('a', 'first');
    line.byHand('b', 'first');
    await line.bash('echo 2 >a; echo 2 >b');
    const [edit] = await line.list();
    // As after a database was damaged, and the edits recorded anew from the copies.
    const db = new Database(path.join(line.home, 'causeway.db'));
    db.pragma('foreign_keys = on');
    db.exec('DELETE FROM sessions');
    db.close();
    const { code, stderr } = await line.history('undo', '--call', edit?.callId ?? '');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect([line.read('a'), line.read('b')]).toEqual(['first', 'first']);
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

  it('takes a new file back with the folders that were made for it, and brings all of it back', async () => {
    const line = historyLine();
    const create = { command: 'create', path: 'new/deep/file', file_text: 'x\n' };
    await line.run('call', 'str_replace_editor', JSON.stringify(create));
    const [edit] = await line.list('--path', 'new/deep/file');
    expect((await line.history('undo')).stdout).toBe(`Took back edit ${edit?.id}: ${line.at('new/deep/file')}\n`);
    expect(existsSync(line.at('new'))).toBe(false);
    expect((await line.history('redo', String(edit?.id))).code).toBe(0);
    expect(line.read('new/deep/file')).toBe('x\n');
    line.byHand('new/mine', '');
    expect(await line.history('undo')).toMatchObject({ code: 0, stderr: '' });
    expect({ new: existsSync(line.at('new')), deep: existsSync(line.at('new/deep')) }).toEqual({
      new: true,
      deep: false,
    });
    expect((await line.history('undo')).stderr).toContain('There is no edit');
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

  it('takes a call back in two programs at once, and neither of them fails', async () => {
    const line = await afterRun('mkdir in; for n in $(seq 200); do echo $n >in/$n; done');
    const undo = ['undo', '--call', line.calls[0], '--json'];
    const both = await Promise.all([line.history(...undo), line.history(...undo)]);
    expect(both.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(2).fill({ code: 0, stderr: '' }));
    const reports = both.map(({ stdout }) => revertReport.parse(JSON.parse(stdout)));
    expect(reports.map(({ edits }) => edits.length).reduce((a, b) => a + b)).toBe(201);
    expect(existsSync(line.at('in'))).toBe(false);
    expect(await line.history('undo', '--call', line.calls[0])).toMatchObject({
      code: 0,
      stderr: 'There was nothing to do: all is like that already.\n',
    });
  });

  it('goes back while other programs edit: each file is either before or after that, and all of it can go back', async () => {
    const line = await afterRun('for n in $(seq 100); do echo $n >$n; done');
    const edit = (name: number) => {
      const create = { command: 'create', path: String(name), file_text: 'other', overwrite: true };
      return line.run('call', 'str_replace_editor', JSON.stringify(create));
    };
    const [undone, ...edited] = await Promise.all([
      line.history('undo', '--call', line.calls[0]),
      ...[1, 2, 3].map(edit),
    ]);
    edited.forEach(({ code, stderr }, index) => {
      const file = line.at(String(index + 1));
      if (code === 0) expect(line.read(String(index + 1))).toBe('other');
      else {
        // Both came to it at once: the edit is refused, and the file went back.
        expect(stderr).toMatch(/was changed by somebody else|is just being changed/);
        expect(existsSync(file)).toBe(false);
      }
    });
    expect(undone.stderr).not.toContain('just being changed');
    expect(existsSync(line.at('50'))).toBe(false);
    const all = await line.list('--all');
    expect(all.filter(({ state }) => state === 'pending')).toEqual([]);
    const [{ sessionId = '' } = {}] = all.filter(({ tool }) => tool === 'str_replace_editor');
    if (sessionId !== '') expect((await line.history('undo', '--session', sessionId)).code).toBe(0);
    expect((await line.history('undo', '--session', line.sessionId)).code).toBe(0);
    expect(readdirSync(line.workspace)).toEqual([]);
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

/** As the terminal prints it: local time to the second. */
function localTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  return new Date(milliseconds - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace('T', ' ');
}
