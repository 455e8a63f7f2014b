import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../fixtures/environment.ts';
import { diffScene } from '../fixtures/scripted-core/diffs.ts';
import { keepPicture, launchBrowser, type PageOptions } from './browser.ts';
import { openScene } from './scripted.ts';

/** An edit opened on the History page, which has room for two files beside each other. */
async function openEdit(
  browser: Browser,
  id: number,
  options: PageOptions = {},
): Promise<{ page: Page; edit: Locator }> {
  const { page } = await openScene(browser, diffScene, '/history', options);
  const edit = page.locator(`[data-edit="${id}"]`);
  await edit.locator('.toggle').click();
  await edit.locator('.diff').waitFor();
  return { page, edit };
}

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** What Ctrl+C puts on the clipboard when everything from one line's start to another's end is selected. */
async function copied(page: Page, first: Locator, last: Locator): Promise<string> {
  const from = await first.boundingBox();
  const to = await last.boundingBox();
  if (!from || !to) throw new Error('The lines are not drawn');
  await page.mouse.move(from.x + 1, from.y + 6);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width - 2, to.y + to.height - 6, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.press('Control+c');
  return page.evaluate(() => navigator.clipboard.readText());
}

describe.skipIf(!chromiumPath)('a diff in the window (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  for (const theme of ['light', 'dark'] as const) {
    it(`has colours, marks the words that differ, goes side by side by keyboard, and axe finds nothing: ${theme}`, async () => {
      const { page, edit } = await openEdit(browser, 1, { theme });
      await edit.locator('.hljs-keyword').first().waitFor();
      expect(await edit.locator('.add .changed').allTextContents()).toContain('parseNumber');
      expect(await violations(page)).toEqual([]);
      await keepPicture(page, `diff-unified-${theme}`);

      const toggle = edit.getByRole('button', { name: 'Side by side' });
      expect(await toggle.getAttribute('aria-pressed')).toBe('false');
      await toggle.press('Enter');
      await edit.locator('.pair').first().waitFor();
      expect(await toggle.getAttribute('aria-pressed')).toBe('true');
      expect(await violations(page)).toEqual([]);
      await keepPicture(page, `diff-side-by-side-${theme}`);
    });
  }

  it('remembers side by side over a reload, and stays unified where there is no room', async () => {
    const { page, edit } = await openEdit(browser, 1);
    await edit.getByRole('button', { name: 'Side by side' }).click();
    await edit.locator('.pair').first().waitFor();
    await page.reload();
    await edit.locator('.toggle').click();
    await edit.locator('.pair').first().waitFor();
    await page.setViewportSize({ width: 620, height: 800 });
    await edit.locator('.pair').first().waitFor({ state: 'detached' });
    expect(await edit.getByRole('button', { name: 'Side by side' }).isVisible()).toBe(false);
    await keepPicture(page, 'diff-narrow');
  });

  it('colours a comment that goes over several lines, in both files', async () => {
    const { edit } = await openEdit(browser, 1);
    await edit.locator('.hljs-comment').first().waitFor();
    const comments = await edit.locator('.hljs-comment').allTextContents();
    expect(comments.join('')).toContain('Reads a row of the table.');
    expect(comments.join('')).toContain('station, time, height');
  });

  it('fetches a language when a file in it is shown', async () => {
    const { edit } = await openEdit(browser, 2);
    await edit.locator('.hljs-keyword', { hasText: 'fn' }).first().waitFor();
  });

  it('shows tabs, spaces and line ends where they are what differs, and nothing live', async () => {
    const { page, edit } = await openEdit(browser, 1);
    await edit.locator('.hljs-keyword').first().waitFor();
    expect(await edit.locator('.del .unseen.tab').count()).toBe(1);
    expect(await edit.locator('.del .unseen.crlf').count()).toBe(1);
    expect(await edit.locator('.add .unseen.space').count()).toBe(2);
    expect(await edit.locator('.diff').innerText()).toContain('⟨U+202E⟩');
    expect(await edit.locator('.diff script').count()).toBe(0);
    expect(await page.evaluate(() => 'hit' in window)).toBe(false);
  });

  it('is copied without numbers and signs, and from the one file a selection began in', async () => {
    const { page, edit } = await openEdit(browser, 1);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const line = (text: string) => edit.locator('[data-line]', { hasText: text }).first();
    expect(await copied(page, line('const height = Number'), line('No height in'))).toBe(
      [
        '  const height = Number(cells[2]);',
        '  const height = parseNumber(cells[2]);',
        '  if (Number.isNaN(height)) throw new TideRowError(`No height in "${line}"`);',
      ].join('\n'),
    );
    await edit.getByRole('button', { name: 'Side by side' }).click();
    await edit.locator('.pair').first().waitFor();
    const old = (text: string) => edit.locator('[data-line=old]', { hasText: text });
    expect(await copied(page, old('const cells'), old('const height'))).toBe(
      ["  const cells = line.split(';'); // one cell a column", '  const height = Number(cells[2]);'].join('\n'),
    );
  });

  it('says to screen readers which lines were added and removed', async () => {
    const { edit } = await openEdit(browser, 2);
    await edit.locator('.add .hidden-text', { hasText: 'Added:' }).waitFor();
    await edit.locator('.del .hidden-text', { hasText: 'Removed:' }).waitFor();
  });

  it('opens 3,000 lines without a freeze, and colours them to the last', async () => {
    const { page, edit } = await openEdit(browser, 3);
    await edit.locator('.hljs-keyword').first().waitFor();
    await page.evaluate(() => {
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) performance.mark('long', { detail: duration });
      }).observe({ type: 'longtask' });
    });
    await edit.getByRole('button', { name: 'Show all 3,000 lines' }).click();
    // Looked for seldom and cheaply, so that the looking is no long task itself.
    await page.waitForFunction(
      () =>
        [25, 50].every(
          (nth) => document.querySelector(`.piece:nth-child(${nth}) .row:last-child .hljs-comment`) !== null,
        ),
      undefined,
      { polling: 250 },
    );
    expect(await edit.locator('.row:has(.hljs-keyword)').count()).toBe(3000);
    const tasks = await page.evaluate(() =>
      performance.getEntriesByName('long').map((mark) => (mark instanceof PerformanceMark ? Number(mark.detail) : 0)),
    );
    // Some 50 ms here; the bound leaves room for machines that are busy with other things.
    expect(Math.max(0, ...tasks)).toBeLessThan(250);
  });
});
