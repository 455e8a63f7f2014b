import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RpcMethod } from '../../src-shared/index.ts';
import { chromiumPath } from '../fixtures/environment.ts';
import { historyScene, longHistoryScene } from '../fixtures/scripted-core/histories.ts';
import { WORKSPACE } from '../fixtures/scripted-core/lists.ts';
import type { ScriptedHost } from '../fixtures/scripted-core/server.ts';
import { keepPicture, launchBrowser, openPage } from './browser.ts';
import { startApp } from './fixtures/app.ts';
import { openScene } from './scripted.ts';

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** The numbers of the edits that are listed, once they are as expected. */
async function expectEdits(page: Page, ids: readonly number[]): Promise<void> {
  await expect
    .poll(() => page.locator('[data-edit]').evaluateAll((all) => all.map((one) => Number(one.dataset['edit']))))
    .toEqual(ids);
}

const address = (page: Page): string => new URL(page.url()).hash;
const inputs = (host: ScriptedHost, method: RpcMethod): unknown[] =>
  host.core.calls.filter((call) => call.method === method).map(({ input }) => input);

describe.skipIf(!chromiumPath)('the History page (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  for (const [theme, language] of [
    ['light', 'en-US'],
    ['dark', 'zh-CN'],
  ] as const) {
    it(`axe finds nothing in the list, a detail, the lines of a file and an empty result: ${theme}, ${language}`, async () => {
      const { page, host } = await openScene(browser, historyScene, '/history', { theme, language });
      await page.locator('[data-edit="9"] .toggle').click();
      await page.locator('[data-edit="9"] [data-mode]').waitFor();
      await page.locator('[data-edit="5"] .toggle').click();
      await page.locator('[data-edit="5"] .hljs-keyword').first().waitFor();
      expect(await violations(page)).toEqual([]);
      await keepPicture(page, `history-list-${theme}`);
      await page.goto(`${host.url}#/history?blame=${WORKSPACE}/src/tides/parse.ts`);
      await page.locator('[data-blame="5"] .hljs-keyword').first().waitFor();
      expect(await violations(page)).toEqual([]);
      await keepPicture(page, `history-blame-${theme}`);
      await page.goto(`${host.url}#/history?edit=10`);
      await page.locator('[data-edit="10"] .diff').waitFor();
      expect(await violations(page)).toEqual([]);
      await keepPicture(page, `history-edit-${theme}`);
      await page.goto(`${host.url}#/history?file=nowhere&time=today`);
      await page.locator('.empty').waitFor();
      expect(await violations(page)).toEqual([]);
      await keepPicture(page, `history-no-match-${theme}`);
    });
  }

  it('filters by a part of the path that the core looks for once the person stops typing', async () => {
    const { page, host } = await openScene(browser, historyScene, '/history');
    await expectEdits(page, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    await page.getByRole('searchbox', { name: 'Filter by path' }).pressSequentially('TIDES');
    await expectEdits(page, [7, 5]);
    expect(address(page)).toBe('#/history?file=TIDES');
    expect(inputs(host, 'history.list')).toHaveLength(2);
    await page.getByRole('link', { name: 'All edits' }).click();
    await expectEdits(page, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    await expect.poll(() => page.getByRole('searchbox', { name: 'Filter by path' }).inputValue()).toBe('');
  });

  it('filters by session, tool, caller and time, and goes back step by step', async () => {
    const { page } = await openScene(browser, historyScene, '/history');
    await page.getByLabel('By', { exact: true }).selectOption('Claude Desktop');
    await expectEdits(page, [1]);
    await page.getByLabel('By', { exact: true }).selectOption('You');
    await expectEdits(page, [11]);
    await page.getByLabel('By', { exact: true }).selectOption('Agent');
    await page.getByLabel('Tool', { exact: true }).selectOption('Python');
    await expectEdits(page, [4, 3, 2]);
    await page.getByLabel('Time', { exact: true }).selectOption('Today');
    await page.getByText('No edit matches').waitFor();
    await page.goBack();
    await expectEdits(page, [4, 3, 2]);
    await page.getByLabel('Tool', { exact: true }).selectOption('All tools');
    await page.getByLabel('Session', { exact: true }).selectOption('Fix the tide table parser');
    await expectEdits(page, [10, 9, 8, 7, 6, 5]);
    expect(address(page)).toBe('#/history?session=tide&caller=agent');
  });

  it('is linked to with its filters, and says when nothing matches, with the way back', async () => {
    const { page } = await openScene(browser, historyScene, '/history?file=harbour&time=week&tool=gone');
    expect(await page.getByRole('searchbox', { name: 'Filter by path' }).inputValue()).toBe('harbour');
    expect(await page.getByLabel('Time', { exact: true }).inputValue()).toBe('week');
    expect(await page.getByLabel('Tool', { exact: true }).inputValue()).toBe('gone');
    await page.locator('.empty').getByRole('link', { name: 'All edits' }).click();
    await expectEdits(page, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('shows older edits page by page, and keeps them when one is undone', async () => {
    const { page, host } = await openScene(browser, longHistoryScene, '/history');
    const older = page.getByRole('button', { name: 'Older edits' });
    await older.click();
    await page.locator('[data-edit="41"]').waitFor();
    await older.click();
    await page.locator('[data-edit="1"]').waitFor();
    await older.waitFor({ state: 'detached' });
    await page.locator('[data-edit="1"] [data-undo]').click();
    await page.locator('[data-edit="1"]', { hasText: 'undone' }).waitFor();
    expect(inputs(host, 'history.list').at(-1)).toMatchObject({ beforeId: 31 });
  });

  it('puts the edits of a call together: what made them, where, how many, and a few of many files at first', async () => {
    const { page } = await openScene(browser, longHistoryScene, '/history');
    await page.getByRole('button', { name: 'Older edits' }).click();
    const group = page.locator('[data-group=thirty]', { hasText: '30 files' });
    await group.waitFor();
    expect(await group.getByRole('heading').innerText()).toMatch(/Shell.*30 files.*Fix the tide table parser.*Agent/s);
    expect(await group.locator('[data-edit]').count()).toBe(8);
    await group.getByRole('button', { name: 'Show all 30 files' }).click();
    await expect.poll(() => group.locator('[data-edit]').count()).toBe(30);
    await group.getByRole('link', { name: 'Fix the tide table parser' }).click();
    await expect.poll(() => address(page)).toBe('#/session/tide');
  });

  it('undoes and redoes all that a call did, and shows the files that have changed since', async () => {
    const { page, host } = await openScene(browser, historyScene, '/history');
    const group = page.locator('[data-group=build]');
    await group.getByRole('button', { name: 'Undo all' }).click();
    const dialog = page.getByRole('dialog', { name: 'stations.csv has changed since' });
    await dialog.getByText('data/stations.csv was changed since.').waitFor();
    await dialog.getByRole('button', { name: 'Leave it as it is' }).click();
    await group.getByRole('button', { name: 'Redo all' }).waitFor();
    await expect.poll(() => group.locator('[data-state=undone]').count()).toBe(4);
    await group.getByRole('button', { name: 'Redo all' }).click();
    await group.getByRole('button', { name: 'Undo all' }).waitFor();
    expect(inputs(host, 'history.revert')).toEqual([
      { target: { callId: 'build' }, kind: 'undo' },
      { target: { callId: 'build' }, kind: 'redo' },
    ]);
  });

  it('undoes only what is listed when a filter hides a part of the call', async () => {
    const { page, host } = await openScene(browser, historyScene, '/history?file=build');
    await page.locator('[data-group=build]').getByRole('button', { name: 'Undo all' }).click();
    await page.locator('[data-group=build]').getByRole('button', { name: 'Redo all' }).waitFor();
    expect(inputs(host, 'history.revert')).toEqual([{ target: { edits: [8, 7, 6] }, kind: 'undo' }]);
  });

  it('tells folders and links from files, and permissions that were changed', async () => {
    const { page } = await openScene(browser, historyScene, '/history');
    await page.locator('[data-edit="6"]', { hasText: /build\// }).waitFor();
    await page.locator('[data-edit="8"] .toggle', { hasText: 'link' }).waitFor();
    await page.locator('[data-edit="9"] .toggle').click();
    await page.locator('[data-edit="9"]', { hasText: '644 → 755' }).waitFor();
    expect(await page.locator('[data-edit="9"]').getByText('No line changed.').count()).toBe(0);
  });

  it('shows who wrote each line of a file, and leads from a line to the edit', async () => {
    const { page } = await openScene(browser, historyScene, '/history');
    await page.getByRole('link', { name: 'Who wrote each line of src/tides/parse.ts' }).click();
    await page.getByRole('heading', { name: 'Who wrote each line of parse.ts' }).waitFor();
    expect(address(page)).toBe(`#/history?blame=${WORKSPACE}/src/tides/parse.ts`);
    const lines = page.locator('[data-blame]');
    await expect.poll(() => lines.count()).toBe(14);
    expect(await lines.evaluateAll((all) => all.map((line) => line.dataset['blame']))).toEqual(
      ['5', ...Array(4).fill('older'), '5', '5', ...Array(3).fill('older'), ...Array(4).fill('11')].map(String),
    );
    const link = lines.nth(5).getByRole('link');
    expect(await link.innerText()).toMatch(/\d min\s*Editor\s*Fix the tide table parser/);
    expect(await lines.nth(10).getByRole('link').innerText()).toMatch(/\d min\s*You/);
    expect(await lines.nth(6).getByRole('link').count()).toBe(0);
    await link.click();
    await page.locator('[data-edit="5"] .diff').waitFor();
    expect(address(page)).toBe('#/history?edit=5');
  });

  it('draws of 20,000 lines those in sight, to the last one', async () => {
    const { page } = await openScene(browser, historyScene, `/history?blame=${WORKSPACE}/data/long.csv`);
    await page.locator('[data-blame]').first().waitFor();
    expect(await page.locator('[data-blame]').count()).toBeLessThan(200);
    await page.getByRole('region', { name: 'Lines of the file' }).press('End');
    await page.locator('[data-blame="10"]', { hasText: 'Pier 19999' }).waitFor();
    expect(await page.locator('[data-blame]').count()).toBeLessThan(200);
  });

  it('says why the lines of a file cannot be shown', async () => {
    const { page } = await openScene(browser, historyScene, '/history?blame=/gone.ts');
    await page.getByRole('alert').filter({ hasText: 'There is no file /gone.ts.' }).waitFor();
    await page.getByRole('link', { name: 'All edits' }).click();
    await page.locator('[data-edit="11"]').waitFor();
  });

  it('fits a phone', async () => {
    const { page, host } = await openScene(browser, historyScene, '/history', { size: 'phone' });
    await page.locator('[data-edit]').first().waitFor();
    await keepPicture(page, 'history-phone');
    const wider = () => page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth);
    expect(await wider()).toBe(0);
    await page.goto(`${host.url}#/history?blame=${WORKSPACE}/src/tides/parse.ts`);
    await page.locator('[data-blame]').first().waitFor();
    await keepPicture(page, 'history-blame-phone');
    expect(await wider()).toBe(0);
  });

  it('has settings: what is recorded, what is left out, and how long edits are kept', async () => {
    const { page, host } = await openScene(browser, historyScene, '/settings');
    const saved = async (): Promise<unknown> => inputs(host, 'settings.set').at(-1);
    await page.getByLabel('Folders that are left out').fill('.git\n node_modules/ \n\ntarget\n.git');
    await page.getByLabel('Folders that are left out').blur();
    await expect.poll(saved).toMatchObject({ history: { exclude: ['.git', 'node_modules', 'target'] } });
    await page.getByLabel('Most megabytes of one file').fill('10');
    await page.getByLabel('Most megabytes of one file').blur();
    await expect.poll(saved).toMatchObject({ history: { mostFileBytes: 10 * 1024 * 1024 } });
    await page.getByLabel('Days that edits are kept').fill('30');
    await page.getByLabel('Days that edits are kept').blur();
    await expect.poll(saved).toMatchObject({ history: { keepDays: 30, mostFileBytes: 10 * 1024 * 1024 } });
    await page.getByLabel('Megabytes that are kept at most').fill('500');
    await page.getByLabel('Megabytes that are kept at most').blur();
    await expect.poll(saved).toMatchObject({ history: { keepBytes: 500 * 1024 * 1024 } });
    await page.getByLabel('Record what commands and Python do').uncheck();
    await expect.poll(saved).toMatchObject({ history: { commands: false } });
    await page.getByLabel('Folders that are left out').waitFor({ state: 'detached' });
  });

  it('does not save a path where the name of a folder belongs, and says so', async () => {
    const { page, host } = await openScene(browser, historyScene, '/settings');
    await page.getByLabel('Folders that are left out').fill('src/build');
    await page.getByLabel('Folders that are left out').blur();
    await page.getByRole('alert').filter({ hasText: '"src/build"' }).waitFor();
    expect(inputs(host, 'settings.set')).toEqual([]);
    expect(await violations(page)).toEqual([]);
  });

  for (const theme of ['light', 'dark'] as const) {
    it(`axe finds nothing in the settings of the history: ${theme}`, async () => {
      const { page } = await openScene(browser, historyScene, '/settings', { theme });
      await page.getByLabel('Days that edits are kept').scrollIntoViewIfNeeded();
      expect(await violations(page)).toEqual([]);
      await keepPicture(page, `history-settings-${theme}`);
    });
  }

  it('does all of it with the real program: finds what a command did, says who wrote a line, and takes the files back', async () => {
    const app = await startApp();
    const page = await openPage(browser);
    const notes = path.join(app.workspace, 'notes.txt');
    writeFileSync(notes, 'an old line\n');
    await page.goto(app.link);
    await page.locator('main').first().waitFor();
    await page.goto(`${app.origin}/#/tools/bash`);
    await page
      .getByRole('textbox', { name: /^command/ })
      .fill('mkdir made && echo one > made/one.txt && echo "a new line" >> notes.txt && chmod 700 notes.txt');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('[data-call][data-state=done]').waitFor();

    await page.goto(`${app.origin}/#/history?tool=bash&caller=person&time=today`);
    const group = page.locator('[data-group]', { hasText: 'notes.txt' });
    await group.locator('[data-edit]', { hasText: 'made/one.txt' }).waitFor();
    await group.getByRole('link', { name: 'Who wrote each line of notes.txt' }).click();
    const written = page.locator('[data-blame]', { hasText: 'a new line' });
    await page.locator('[data-blame=older]', { hasText: 'an old line' }).waitFor();
    await written.getByRole('link', { name: 'You' }).click();
    await page.locator('[data-edit] [data-mode]', { hasText: '700' }).waitFor();

    await page.goto(`${app.origin}/#/history?tool=bash&caller=person`);
    await group.getByRole('button', { name: 'Undo all' }).click();
    await expect.poll(() => readFileSync(notes, 'utf8')).toBe('an old line\n');
    await expect.poll(() => existsSync(path.join(app.workspace, 'made'))).toBe(false);
    await group.getByRole('button', { name: 'Redo all' }).click();
    await expect.poll(() => existsSync(path.join(app.workspace, 'made/one.txt'))).toBe(true);
    await page.goto(`${app.origin}/#/history`);
    await page.getByRole('heading', { name: /Undid.*3 files/ }).waitFor();
    await page.getByRole('heading', { name: /Redid.*3 files/ }).waitFor();
    await keepPicture(page, 'history-real');
  });
});
