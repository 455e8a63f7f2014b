import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../fixtures/environment.ts';
import { brokenScene, busyScene, firstScene } from '../fixtures/scripted-core/scenes.ts';
import { keepPicture, launchBrowser } from './browser.ts';
import { openScene } from './scripted.ts';

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Every page and state, by the scene it is in: one page goes through the addresses, as a person would. */
const VIEWS = [
  {
    what: 'daily use',
    scene: busyScene,
    views: [
      ['approval', '/session/tide', '[data-state=waiting] textarea'],
      ['question', '/session/question', '[data-state=waiting] textarea'],
      ['run-under-way', '/session/links', '[data-state=running]'],
      ['finished-run', '/session/finished', '[data-kind=run-end]'],
      ['failed-run', '/session/failed', '[data-outcome=model_error]'],
      ['empty-session', '/session/empty', 'main .empty'],
      ['servers', '/servers', '[data-server]'],
      ['tool', '/tools/bash', 'form textarea'],
      ['history', '/history', '[data-edit]'],
      ['settings', '/settings', 'input[type=radio]'],
    ],
  },
  {
    what: 'the first start',
    scene: firstScene,
    views: [
      ['empty-window', '/', 'h1'],
      ['no-servers', '/servers', '.empty'],
      ['no-history', '/history', '.empty'],
    ],
  },
  {
    what: 'a broken core',
    scene: brokenScene,
    views: [
      ['broken-session', '/session/tide', 'main [role=alert]'],
      ['broken-servers', '/servers', 'main [role=alert]'],
    ],
  },
] as const;

describe.skipIf(!chromiumPath)('the window for everybody (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  for (const { what, scene, views } of VIEWS) {
    for (const [theme, language] of [
      ['light', 'en-US'],
      ['dark', 'zh-CN'],
    ] as const) {
      it(`axe finds nothing in ${what}, ${theme}, ${language}`, async () => {
        const { page, host } = await openScene(browser, scene, views[0][1], { theme, language });
        const found: Record<string, string[]> = {};
        for (const [name, route, ready] of views) {
          await page.goto(`${host.url}#${route}`);
          await page.locator(ready).first().waitFor();
          found[name] = await violations(page);
          await keepPicture(page, `${name}-${theme}-${language}`);
        }
        expect(found).toEqual(Object.fromEntries(views.map(([name]) => [name, []])));
      });
    }
  }

  it('axe finds nothing in opened servers, dialogs and the palette', async () => {
    const { page } = await openScene(browser, busyScene, '/servers');
    await page.locator('[data-server=playwright] .toggle').click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add a server' }).click();
    expect(await violations(page)).toEqual([]);
    await keepPicture(page, 'add-server');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Go to a session').waitFor();
    expect(await violations(page)).toEqual([]);
    await keepPicture(page, 'palette');
  });

  for (const size of ['small', 'phone'] as const) {
    for (const route of ['/', '/session/tide', '/session/long', '/servers', '/tools/bash', '/history', '/settings']) {
      it(`nothing is cut off sideways: ${route} in a ${size} window`, async () => {
        const { page } = await openScene(browser, busyScene, route, { size });
        await page.waitForFunction(() => document.querySelectorAll('[role=status][aria-label]').length === 0);
        const overflow = await page.evaluate(() => {
          const wide = [...document.querySelectorAll('main *')].filter((element) => {
            const box = element.getBoundingClientRect();
            // What lies in a region that scrolls by itself is reachable.
            return (
              box.width > 0 &&
              box.right > innerWidth + 1 &&
              !element.closest('pre, .term, .diff, .film ul, nav, .hidden-text')
            );
          });
          return wide.map((element) => `${element.tagName}.${element.className}`);
        });
        expect(overflow).toEqual([]);
        await keepPicture(page, `${size}${route.replaceAll('/', '-')}`);
      });
    }
  }

  it('keeps the composer, and brings sessions and panel as drawers, in a narrow window', async () => {
    const { page } = await openScene(browser, busyScene, '/session/tide', { size: 'phone' });
    await page.getByPlaceholder('Reply, or give the next task').waitFor();
    expect(await page.locator('aside').isVisible()).toBe(false);
    expect(await page.getByRole('link', { name: 'Servers' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Sessions and pages' }).click();
    await page.getByRole('link', { name: 'Servers' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await keepPicture(page, 'phone-drawer');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Files, terminal, images, events' }).click();
    await page.locator('aside').waitFor();
    await keepPicture(page, 'phone-panel');
  });

  it('overlaps nothing at twice the text size', async () => {
    const { page } = await openScene(browser, busyScene, '/session/tide');
    await page.locator('[data-state=waiting] textarea').waitFor();
    await page.evaluate(() => (document.documentElement.style.fontSize = '32px'));
    const overlaps = await page.evaluate(() => {
      const boxes = [
        ...document.querySelectorAll(
          '.ask .btn, .ask textarea, .ask p, aside .diff .text, header > *, aside [role=tab]',
        ),
      ].map((element) => element.getBoundingClientRect());
      return boxes.filter((a, index) =>
        boxes.some(
          (b, other) =>
            other > index &&
            a.right > b.left + 1 &&
            b.right > a.left + 1 &&
            a.bottom > b.top + 1 &&
            b.bottom > a.top + 1,
        ),
      ).length;
    });
    expect(overlaps).toBe(0);
    await keepPicture(page, 'large-text');
  });

  it('can be used by keyboard alone: palette, page, form, run', async () => {
    const { page, host } = await openScene(browser, busyScene, '/');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Go to a session').waitFor();
    await page.keyboard.type('tools');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/tools$/);
    await page.goto(`${host.url}#/tools/bash`);
    await page.getByRole('textbox', { name: 'command' }).focus();
    await page.keyboard.type('ls');
    await page.keyboard.press('Control+Enter');
    await expect
      .poll(() => host.core.calls.find(({ method }) => method === 'tool.call')?.input)
      .toMatchObject({
        name: 'bash',
        input: { command: 'ls', timeout: 120 },
      });
  });
});
