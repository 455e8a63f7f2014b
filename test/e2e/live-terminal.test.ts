import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../fixtures/environment.ts';
import { keepPicture, launchBrowser, openPage, type PageOptions } from './browser.ts';
import { startApp, type RunningApp } from './fixtures/app.ts';

interface LiveBench {
  app: RunningApp;
  page: Page;
  /** Runs a command by hand and gives its live terminal. */
  start(command: string): Promise<Locator>;
  /** Types as a person does, into the terminal that is clicked. */
  type(terminal: Locator, text: string): Promise<void>;
}

async function openBench(browser: Browser, options?: PageOptions): Promise<LiveBench> {
  const app = await startApp();
  const page = await openPage(browser, options);
  await page.goto(app.link);
  await page.locator('main').first().waitFor();
  await page.goto(`${app.origin}/#/tools/bash`);
  return {
    app,
    page,
    async start(command) {
      await page.getByRole('textbox', { name: /^command/ }).fill(command);
      await page.getByRole('textbox', { name: /^command/ }).press('Control+Enter');
      const terminal = page.locator('[data-terminal=live]');
      await terminal.locator('.xterm-rows').waitFor();
      return terminal;
    },
    async type(terminal, text) {
      await terminal.locator('.xterm-screen').click();
      await page.keyboard.type(text);
    },
  };
}

/** The terminal's rows as they are drawn. */
async function rowsOf(terminal: Locator): Promise<string> {
  const rows = await terminal.locator('.xterm-rows > div').allTextContents();
  return rows
    .map((row) => row.replaceAll('\u00a0', ' ').trimEnd())
    .join('\n')
    .trim();
}

/** Every file under a folder that holds this text, whatever kind it is of. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}

describe.skipIf(!chromiumPath)('the live terminal in the timeline (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('says that a program waits, takes what is typed, and shows how it ends', async () => {
    const { page, start, type } = await openBench(browser);
    const terminal = await start('read -p "Name? " name; echo "hi $name"');
    await terminal.getByText('Waiting for input').waitFor();
    await expect.poll(() => rowsOf(terminal)).toBe('Name?');
    await keepPicture(page, 'live-terminal-waits');
    await type(terminal, 'Ada\n');
    const ended = page.locator('[data-terminal=ended]');
    await ended.waitFor();
    await expect.poll(() => rowsOf(ended)).toBe('Name? Ada\nhi Ada');
  });

  it('says that what is typed is hidden, and keeps it nowhere', async () => {
    const { app, page, start, type } = await openBench(browser, { theme: 'dark' });
    const terminal = await start('read -s -p "Password: " word; echo; echo "${#word} characters"');
    await terminal.getByText('What you type is hidden').waitFor();
    await type(terminal, 'sesame-7');
    await keepPicture(page, 'live-terminal-hidden');
    await page.keyboard.press('Enter');
    const ended = page.locator('[data-terminal=ended]');
    await expect.poll(() => rowsOf(ended)).toBe('Password:\n8 characters');
    expect(await page.content()).not.toContain('sesame');
    await app.stop();
    expect(filesWith(app.home, '8 characters').length + filesWith(app.home, 'Password: ').length).toBeGreaterThan(0);
    expect(filesWith(app.home, 'sesame-7')).toEqual([]);
  });

  it('is a whole terminal: a Python prompt with its own line editing, colours and Tab, in the size of the card', async () => {
    const { page, start, type } = await openBench(browser);
    const terminal = await start('python3 -q');
    await terminal.getByText('python3 -q reads the terminal').waitFor();
    await type(terminal, 'print("\\x1b[32m", 6 * 7, sep="")\nimport os\nprint(os.get_terminal_size().lines)\n');
    await expect.poll(() => rowsOf(terminal)).toContain('\n42\n');
    await expect.poll(() => rowsOf(terminal)).toMatch(/lines\)\n12\n/);
    await type(terminal, 'prin\t');
    await expect.poll(() => rowsOf(terminal)).toMatch(/print\(\)?$/);
    await keepPicture(page, 'live-terminal-python');
    await page.keyboard.press('F6');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-expanded'))).toBe('true');
    await terminal.getByRole('button', { name: 'Stop the command' }).click();
    await page.locator('[data-terminal=ended]').waitFor();
  });

  it('shows a flood without falling behind, and what runs is found again after a reload', async () => {
    const { page, start } = await openBench(browser);
    const terminal = await start('seq 1 300000; echo "that was it"; read line');
    await expect.poll(() => rowsOf(terminal)).toMatch(/300000\nthat was it$/);
    await page.reload();
    const again = page.locator('[data-terminal=live]');
    await expect.poll(() => rowsOf(again)).toMatch(/300000\nthat was it$/);
  });

  it('says what kept the command in', async () => {
    const { page } = await openBench(browser);
    await page.getByRole('textbox', { name: /^command/ }).fill('echo plain');
    await page.getByRole('textbox', { name: /^command/ }).press('Control+Enter');
    await page.locator('[data-sandbox=off]').waitFor();
  });
});
