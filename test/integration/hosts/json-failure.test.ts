import { describe, expect, it } from 'vitest';
import { commandLine } from '../../fixtures/cli.ts';
import { changedSince, historyLine, lines } from '../../fixtures/history-line.ts';

const FAILURES = [
  ['wrong arguments', 2, 'bad_input', ['history', 'undo', 'first', '--json']],
  ['an unknown option', 2, 'bad_input', ['tools', '--json', '--fast']],
  ['an empty value', 2, 'bad_input', ['history', 'list', '--json', '--session', '']],
  ['what is not there', 1, 'not_found', ['history', 'show', '7', '--json']],
  ['a session that is not there', 1, 'not_found', ['sessions', 'show', 'x', '--json']],
  ['a server that is not there', 1, 'not_found', ['servers', 'test', 'x', '--json']],
  ['a workspace that is none', 1, 'not_found', ['tools', '--json', '--workspace', '/no/such']],
  ['a run without a model', 1, 'unavailable', ['run', 'task', '--json']],
] as const;

describe('with --json, a command that fails', () => {
  it.each(FAILURES)(
    'gives the failure as JSON on stdout, and the sentence on stderr: %s',
    async (_what, ...expected) => {
      const [exitCode, errorCode, args] = expected;
      const { code, stdout, stderr } = await commandLine().run(...args);
      expect(code).toBe(exitCode);
      const { error } = JSON.parse(stdout);
      expect(error).toMatchObject({ code: errorCode, message: expect.stringMatching(/.+\.$/) });
      expect(stderr).toBe(`${error.message}${error.hint === undefined ? '' : ` ${error.hint}`}\n`);
    },
  );

  it('gives its answer alone where it has one', async () => {
    const line = historyLine();
    const edit = await changedSince(line, lines({ 3: 'by hand' }));
    const [made] = await line.list();
    const left = await line.history('undo', '--session', made?.sessionId ?? '', '--json');
    expect(left.code).toBe(1);
    expect(JSON.parse(left.stdout)).toMatchObject({ edits: [], left: [{ editId: Number(edit) }] });
    const failed = await line.run('call', 'bash', '{"command": "exit 3"}', '--json');
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({ isError: true });
  });

  it('leaves stdout empty where nobody asked for JSON', async () => {
    expect(await commandLine().run('history', 'show', '7')).toMatchObject({ code: 1, stdout: '' });
    const passedOn = await commandLine().run('servers', 'add', 'x', '--', '-e', '--json');
    expect(passedOn).toMatchObject({ code: 2, stdout: '' });
  });
});
