import path from 'node:path';
import { z } from 'zod';
import { CausewayError, success, type StoredResult } from '../../../../src-shared/index.ts';
import { findChromium } from '../../../agent/index.ts';
import { builtPath } from '../../paths.ts';
import { createWebHost } from '../../web/index.ts';
import type { Bench, BenchContext } from './contract.ts';
import { openDevtoolsPage, type DevtoolsPage } from './devtools.ts';
import { percentile, toRow } from './measure.ts';

const STEPS = 2000;
const FRAMES = 120;
/** How long the window may take to show the session, in milliseconds. */
const SHOW_MS = 30_000;

/** Frames while a long session is scrolled, against a plain page of as many lines in the same browser. */
export const uiScroll: Bench = {
  name: 'ui.scroll',
  async run(context) {
    const program = findChromium();
    if (program === undefined) {
      throw new CausewayError('unavailable', 'Chromium is not installed.', {
        hint: 'Install it: "apt install chromium".',
      });
    }
    fillSession(context);
    await using web = await createWebHost({
      app: context.app,
      host: { kind: 'web', env: {}, doctor: () => Promise.resolve([]) },
      rendererFolder: builtPath('renderer'),
      port: 0,
    });
    await using page = await openDevtoolsPage(program, path.join(context.folder, 'profile'));
    await page.open(plainPage());
    await page.evaluate(untilShown(IS_LONG));
    const floors = await scroll(page);
    await page.open(web.link());
    await page.evaluate(untilShown('document.querySelector("nav, aside, main") !== null'));
    await page.evaluate(`location.hash = '#/session/${context.sessionId}'`);
    await page.evaluate(untilShown(IS_LONG));
    const values = await scroll(page);
    return toRow({
      name: 'ui.scroll',
      value: percentile(values, 0.95),
      unit: 'ms',
      floor: percentile(floors, 0.95),
      goal: 1.5,
      note: `From frame to frame while ${STEPS} steps are scrolled; 95 % of frames come within this time. Floor: a plain page of as many lines.`,
    });
  },
};

function fillSession({ app: { store }, sessionId }: BenchContext): void {
  const result: StoredResult = {
    ...success(''),
    content: [{ type: 'text', text: 'total 3\na.txt\nb.txt\n'.repeat(4) }],
  };
  store.db.transaction(() => {
    for (let step = 0; step < STEPS; step += 1) {
      const callId = `call-${step}`;
      const input = { command: `ls folder-${step}` };
      store.events.append(sessionId, {
        type: 'tool.started',
        callId,
        caller: { kind: 'person' },
        name: 'bash',
        origin: { kind: 'builtin' },
        input,
      });
      store.events.append(sessionId, { type: 'tool.ended', callId, durationMs: 5, result });
    }
  })();
}

function plainPage(): string {
  return `data:text/html,<body><script>document.body.innerHTML = '<p>A line</p>'.repeat(${STEPS})</script>`;
}

/** The element that scrolls most: the page itself, or the timeline in it. */
const LARGEST = `() => [document.scrollingElement, ...document.querySelectorAll('*')]
  .filter((element) => element && element.scrollHeight > element.clientHeight + 100)
  .sort((a, b) => b.scrollHeight - a.scrollHeight)[0]`;

const IS_LONG = `(${LARGEST})()?.scrollHeight > 5000`;

function untilShown(condition: string): string {
  return `new Promise((resolve, reject) => {
    const end = performance.now() + ${SHOW_MS};
    const look = () => {
      if (${condition}) resolve();
      else if (performance.now() > end) reject(new Error('The window did not show the session.'));
      else requestAnimationFrame(look);
    };
    look();
  })`;
}

/** Scrolls through all of it in equal steps, one a frame; gives the time of each frame in milliseconds. */
async function scroll(page: DevtoolsPage): Promise<number[]> {
  const times = await page.evaluate(`(async () => {
    const element = (${LARGEST})();
    const distance = element.scrollHeight / ${FRAMES};
    const times = [];
    let last = await new Promise(requestAnimationFrame);
    for (let frame = 0; frame < ${FRAMES}; frame += 1) {
      element.scrollTop = frame * distance;
      const now = await new Promise(requestAnimationFrame);
      times.push(now - last);
      last = now;
    }
    return times;
  })()`);
  return z.array(z.number()).min(1).parse(times);
}
