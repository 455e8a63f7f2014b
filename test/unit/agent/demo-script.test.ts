import { describe, expect, test } from 'vitest';
import { demoScript } from '../../../src-main/agent/demo/script.ts';
import type { Line, Script, Seen } from '../../../src-main/agent/demo/scripted-model.ts';

const ok: Seen = { text: 'fine', failed: false, images: 0, tools: ['nav', 'shot'] };
const ran: Seen = { ...ok, text: 'open from 01:00 to 02:00' };
const drawn: Seen = { ...ok, images: 1 };

function play(browser: Parameters<typeof demoScript>[0]['browser']): Script {
  return demoScript({
    program: 'PROGRAM\n',
    chart: 'from tides import ROAD, crossings, height\nCHART',
    page: '<ul><!-- times --></ul>',
    url: 'http://127.0.0.1:1/',
    browser,
  });
}

/** What the script says after each of these results; the first is ignored, as generators do. */
function lines(script: Script, results: readonly Seen[]): Line[] {
  return results.map((seen) => script.next(seen).value);
}

describe('the demo script', () => {
  test('goes on only while every step works: a failed write ends as a failure that names it', () => {
    const [, last] = lines(play({ missing: 'none' }), [ok, { ...ok, failed: true, text: 'Error: disk full' }]);
    expect(last?.call).toEqual({
      name: 'terminate',
      input: { status: 'failure', message: 'The demo could not write tides.py. disk full' },
    });
  });

  test('a plot without a picture is a failure, whatever the tool says', () => {
    const said = lines(play({ missing: 'none' }), [ok, ok, ran, ok]);
    expect(said.at(-1)?.call?.name).toBe('terminate');
  });

  test('without python3 in the shell it runs the program in the sandbox and tests with the shell alone', () => {
    const missing = { ...ok, failed: true, text: 'Error: bash: python3: command not found' };
    const said = lines(play({ missing: 'none' }), [ok, ok, missing, ran, drawn, ok, ok]);
    expect(said[2]?.call).toEqual({ name: 'python_execute', input: { code: 'PROGRAM\n' } });
    expect(said.at(-1)?.call?.input['command']).toMatch(/^grep/);
  });

  test('a sandbox that sees no files is handed the program with the plot', () => {
    const blind = { ...ok, failed: true, text: "Error: No module named 'tides'" };
    const said = lines(play({ missing: 'none' }), [ok, ok, ran, blind]);
    expect(said.at(-1)?.call?.input).toEqual({ code: 'PROGRAM\nCHART' });
  });

  test('the page holds the times that the program really printed', () => {
    const said = lines(play({ missing: 'none' }), [ok, ok, ran, drawn]);
    expect(said.at(-1)?.call?.input['file_text']).toBe('<ul><li>01:00 to 02:00</li></ul>');
  });

  test('with a browser it looks at the page; a screenshot without a picture is a failure', () => {
    const script = play({ navigate: 'nav', screenshot: 'shot' });
    const said = lines(script, [ok, ok, ran, drawn, ok, ok, ok, ok, ok]);
    expect(said.map(({ call }) => call?.name)).toEqual([
      'str_replace_editor',
      'bash',
      'python_execute',
      'str_replace_editor',
      'str_replace_editor',
      'bash',
      'nav',
      'shot',
      'terminate',
    ]);
  });

  test('ends with a summary and no call', () => {
    const said = lines(play({ missing: 'there is no browser' }), [ok, ok, ran, drawn, ok, ok, ok, ok]);
    expect(said.at(-1)).toMatchObject({ say: expect.stringMatching(/there is no browser/) });
    expect(said.at(-1)?.call).toBeUndefined();
  });
});
