import type { JsonObject } from '../../../src-shared/index.ts';
import type { Line, Script, Seen } from './scripted-model.ts';

/** What the script writes and where it looks; texts of files are in assets/demo. */
export interface Material {
  program: string;
  chart: string;
  page: string;
  /** Address under which the page can be seen. */
  url: string;
  /** Names of the browser's tools, or why there is no browser. */
  browser: { navigate: string; screenshot: string } | { missing: string };
}

const WITHOUT_MARGIN = 'MARGIN = 0.0';
const WITH_MARGIN = 'MARGIN = 0.3';
const PROGRAM_IMPORT = 'from tides import ROAD, crossings, height\n';
const TIME_SPAN = /open from (\d\d:\d\d) to (\d\d:\d\d)/g;

/**
 * The demo as a script: write, run, plot, write a page, edit, test, look at the page, undo, report. Each step waits for what
 * really came of the one before; where that is a failure the run ends as one.
 */
export function* demoScript(material: Material): Script {
  let seen = yield {
    say: 'A causeway is a road that the tide lays bare twice a day. I write a small program that says when.',
    call: edit('create', { path: 'tides.py', file_text: material.program }),
  };
  if (seen.failed) return giveUp('write tides.py', seen);

  seen = yield { say: 'Now I run it.', call: bash('python3 tides.py') };
  const shellHasPython = !(seen.failed && /not found/.test(seen.text));
  if (!shellHasPython) {
    seen = yield {
      say: 'The shell has no python3, so I run it in the Python sandbox instead.',
      call: python(material.program),
    };
  }
  const times = [...seen.text.matchAll(TIME_SPAN)].map(([, start, end]) => `${start} to ${end}`);
  if (seen.failed || times.length === 0) return giveUp('run tides.py', seen);

  seen = yield { say: 'A picture says more than times: I plot the water over the day.', call: python(material.chart) };
  if (seen.failed && /No module named .tides/.test(seen.text)) {
    seen = yield {
      say: 'This Python sees no files of the workspace, so I hand it the program together with the plot.',
      call: python(material.chart.replace(PROGRAM_IMPORT, material.program)),
    };
  }
  if (seen.failed || seen.images === 0) return giveUp('draw the figure', seen);

  seen = yield {
    say: `The road is dry from ${times.join(' and from ')}. I put that on a small page, with the figure.`,
    call: edit('create', { path: 'index.html', file_text: withTimes(material.page, times) }),
  };
  if (seen.failed) return giveUp('write index.html', seen);

  seen = yield {
    say: 'Nobody should walk right at the edge of the water: I add a margin of 0.3 metres to the program.',
    call: edit('str_replace', { path: 'tides.py', old_str: WITHOUT_MARGIN, new_str: WITH_MARGIN }),
  };
  if (seen.failed) return giveUp('edit tides.py', seen);

  seen = yield { say: 'Do its tests still pass?', call: bash(tests(shellHasPython)) };
  if (seen.failed) return giveUp('pass the tests', seen);

  const { browser } = material;
  let looked = 'and I looked at the page in a browser';
  if ('missing' in browser) {
    looked = `but I could not look at the page: ${browser.missing}`;
  } else {
    const { navigate, screenshot } = browser;
    if (!seen.tools.includes(navigate)) return giveUp('open the page', { ...seen, text: 'The browser is gone.' });
    seen = yield {
      say: 'They do. Now I look at the page in a real browser.',
      call: { name: navigate, input: { url: material.url } },
    };
    if (seen.failed) return giveUp('open the page', seen);
    seen = yield {
      say: 'It is open; I take a picture of it.',
      call: { name: screenshot, input: { type: 'png', scale: 'css' } },
    };
    if (seen.failed || seen.images === 0) return giveUp('take the screenshot', seen);
  }

  seen = yield {
    say: 'Last, I take the edit of the program back. Every change can be undone, by me or by you, also tomorrow.',
    call: edit('undo_edit', { path: 'tides.py' }),
  };
  if (seen.failed) return giveUp('undo the edit', seen);

  return {
    say: [
      `The causeway is dry from ${times.join(' and from ')}.`,
      '',
      '- `tides.py` works out the times, `index.html` shows them with the figure.',
      `- The tests pass, ${looked}.`,
      '- The safety margin was added, tested, and taken back again; History can do it once more.',
      '',
      'All of this was scripted, but the files, the shell, the sandbox and the browser were real.',
    ].join('\n'),
  };
}

/** Where the shell has no Python, a plain test still looks at what the edit was for. */
function tests(shellHasPython: boolean): string {
  return shellHasPython
    ? 'python3 -m unittest -v test_tides'
    : `grep -n '${WITH_MARGIN}' tides.py && echo 'OK: the margin is there'`;
}

function edit(command: string, input: JsonObject): NonNullable<Line['call']> {
  return { name: 'str_replace_editor', input: { command, ...input } };
}

function bash(command: string): NonNullable<Line['call']> {
  return { name: 'bash', input: { command } };
}

function python(code: string): NonNullable<Line['call']> {
  return { name: 'python_execute', input: { code } };
}

function withTimes(page: string, times: readonly string[]): string {
  return page.replace('<!-- times -->', times.map((span) => `<li>${span}</li>`).join('\n      '));
}

/** The end of a demo that did not work: said, and marked as a failure. */
function giveUp(what: string, { text }: Pick<Seen, 'text'>): Line {
  const reason = text.replace(/^Error: /, '').slice(0, 500);
  return {
    say: `I could not ${what}, so I stop here.`,
    call: { name: 'terminate', input: { status: 'failure', message: `The demo could not ${what}. ${reason}` } },
  };
}
