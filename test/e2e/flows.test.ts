import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PNG } from 'pngjs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../fixtures/environment.ts';
import { startModelServer } from '../fixtures/model-server/index.ts';
import { goToTop, keepPicture, launchBrowser, openPage } from './browser.ts';
import { startApp, type RunningApp, type StartOptions } from './fixtures/app.ts';

async function openApp(browser: Browser, options?: StartOptions): Promise<{ app: RunningApp; page: Page }> {
  const app = await startApp(options);
  const page = await openPage(browser);
  await page.goto(app.link);
  await page.locator('main').first().waitFor();
  return { app, page };
}

/** A program with a model that plays `replies`, asking before anything changes. */
async function openAsking(
  browser: Browser,
  replies: Parameters<typeof startModelServer>[0],
): Promise<{ app: RunningApp; page: Page }> {
  const model = await startModelServer(replies);
  const opened = await openApp(browser, {
    env: { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: model.baseUrl, CAUSEWAY_MODEL: 'scripted-test' },
  });
  await opened.page.getByLabel('What may happen without asking').selectOption('ask');
  return opened;
}

async function giveTask(page: Page, text: string): Promise<void> {
  await page.getByPlaceholder('Describe a task').fill(text);
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/session\//);
}

/** True while the process does anything; one that only waits to be reaped does not. */
function runs(pid: string): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

/** How many different colours a picture has: a blank one has one. */
function colours(png: Buffer): number {
  const { data } = PNG.sync.read(png);
  const seen = new Set<number>();
  for (let at = 0; at + 3 < data.length; at += 4) seen.add(data.readUInt32BE(at));
  return seen.size;
}

describe.skipIf(!chromiumPath)('the real program in a real browser (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('shows the demo: named as a script, with a real figure and a real screenshot, the same after a reload', async () => {
    const { page } = await openApp(browser);
    await keepPicture(page, 'real-empty-window');
    await page.getByRole('button', { name: 'Show me' }).click();
    await page.locator('[data-state=running]').first().waitFor();
    await keepPicture(page, 'real-run-under-way');
    await page.locator('[data-kind=run-end]').waitFor({ timeout: 60_000 });
    await keepPicture(page, 'real-finished-run');
    expect(await page.locator('[data-kind=run-end]').getAttribute('data-outcome')).toBe('done');

    await page.getByRole('tab', { name: 'Images' }).click();
    const pictures = page.locator('aside figure img');
    expect(await pictures.count()).toBe(2);
    for (const picture of await pictures.all()) {
      const { width, height, source } = await picture.evaluate(async (image) => {
        if (!(image instanceof HTMLImageElement)) throw new Error('No image');
        await image.decode();
        return { width: image.naturalWidth, height: image.naturalHeight, source: image.src };
      });
      expect(width).toBeGreaterThan(300);
      expect(height).toBeGreaterThan(200);
      const answer = await page.request.get(source);
      expect(answer.headers()['content-type']).toBe('image/png');
      expect(colours(await answer.body())).toBeGreaterThan(10);
    }

    const flow = page.locator('.scroller');
    await goToTop(page);
    await page.getByText('Scripted demo, not a model').waitFor();
    const live = await flow.innerText();
    await page.reload();
    await page.locator('[data-kind=run-end]').waitFor();
    await goToTop(page);
    await page.getByText('Scripted demo, not a model').waitFor();
    await expect.poll(() => flow.innerText()).toBe(live);
    await keepPicture(page, 'real-old-session');
  });

  it('lets the person change what runs, deny with a reason, and undo the edit from its step', async () => {
    const { app, page } = await openAsking(browser, [
      { calls: [{ id: 'call-1', name: 'bash', arguments: { command: 'echo from-the-model > made.txt' } }] },
      { calls: [{ id: 'call-2', name: 'bash', arguments: { command: 'rm -rf build' } }] },
      {
        calls: [
          {
            id: 'call-3',
            name: 'str_replace_editor',
            arguments: { command: 'str_replace', path: 'notes.txt', old_str: 'old', new_str: 'new' },
          },
        ],
      },
      { text: 'All done.' },
    ]);
    const notes = path.join(app.workspace, 'notes.txt');
    writeFileSync(notes, 'an old note\n');
    await giveTask(page, 'Tidy up');

    await page.getByLabel('What would run').fill('echo from-the-person > made.txt');
    await keepPicture(page, 'real-approval');
    await page.getByRole('button', { name: 'Allow once' }).click();

    await page.locator('[data-state=waiting]', { hasText: 'rm -rf build' }).waitFor();
    expect(readFileSync(path.join(app.workspace, 'made.txt'), 'utf8')).toBe('from-the-person\n');
    await page.getByRole('button', { name: 'Deny and say why' }).click();
    await page.getByPlaceholder('Why not').fill('The server reads it');
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.locator('[data-state=denied]', { hasText: 'The server reads it' }).waitFor();

    await page.locator('[data-state=waiting]', { hasText: 'notes.txt' }).waitFor();
    await page.getByRole('button', { name: 'Allow for this session' }).click();
    await page.locator('[data-kind=run-end][data-outcome=done]').waitFor();
    expect(readFileSync(notes, 'utf8')).toBe('an new note\n');

    const step = page.locator('[data-call]', { hasText: 'notes.txt' });
    await step.getByRole('button', { name: 'Undo' }).click();
    await step.getByRole('button', { name: 'Redo' }).waitFor();
    expect(readFileSync(notes, 'utf8')).toBe('an old note\n');
    await page.getByText('You undid the change to').waitFor();
    await page.goto(`${app.origin}/#/history`);
    await page.locator('[data-edit]', { hasText: 'notes.txt' }).getByRole('button', { name: 'Redo' }).first().click();
    await expect.poll(() => readFileSync(notes, 'utf8')).toBe('an new note\n');
  });

  it('stops a run by Esc, and the command with it', async () => {
    const { app, page } = await openAsking(browser, [
      { calls: [{ id: 'call-4', name: 'bash', arguments: { command: `sh -c 'echo $$ > pid; exec sleep 300'` } }] },
    ]);
    await page.getByLabel('What may happen without asking').selectOption('workspace');
    await giveTask(page, 'Wait');
    await page.locator('[data-state=running]').waitFor();
    const pidFile = path.join(app.workspace, 'pid');
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8')).toMatch(/^\d+\n$/);
    await page.getByPlaceholder('Reply, or give').press('Escape');
    await page.locator('[data-outcome=stopped]').waitFor();
    await expect.poll(() => runs(readFileSync(pidFile, 'utf8').trim())).toBe(false);
  });

  it('runs a tool by hand from its form, and keeps the shell from one run to the next', async () => {
    const { page, app } = await openApp(browser);
    await page.goto(`${app.origin}/#/tools/bash`);
    const command = page.getByRole('textbox', { name: /^command/ });
    await command.fill('mkdir inner && cd inner && export SAID=hello');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('[data-call][data-state=done]').waitFor();
    await command.fill('echo "$SAID from $(basename "$PWD")"');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('[data-call]', { hasText: 'hello from inner' }).waitFor();
    await keepPicture(page, 'real-tool-by-hand');
  });

  it('shows an output that was cut whole: by pages, and by a line that was searched for', async () => {
    const { page, app } = await openApp(browser);
    await page.goto(`${app.origin}/#/tools/bash`);
    await page.getByRole('textbox', { name: /^command/ }).fill('seq -f "row %.0f" 1 300000');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'Show the whole output' }).click();
    const wholeText = async (): Promise<string> => (await page.getByTestId('output-page').textContent())?.trim() ?? '';
    await expect.poll(() => wholeText()).toMatch(/^row 1\n/);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await expect.poll(() => wholeText()).toMatch(/row 300000$/);
    await page.getByRole('button', { name: 'Earlier', exact: true }).click();
    await expect.poll(() => wholeText()).not.toContain('row 300000');
    await page.getByLabel('Search the whole output').fill('row 123456');
    await page.getByLabel('Search the whole output').press('Enter');
    await page.getByText('Matching lines: 1').waitFor();
    await page.getByTitle('Line 123,456').click();
    await expect.poll(() => wholeText()).toMatch(/^row 123456\n/);
    await keepPicture(page, 'real-whole-output');
  });

  it('keeps language, theme and limits over a restart', async () => {
    const { page, app } = await openApp(browser);
    await page.goto(`${app.origin}/#/settings`);
    await page.getByLabel('Language').selectOption('zh-CN');
    await page.getByLabel('主题').selectOption('dark');
    await page.getByLabel('每次运行的步数').fill('7');
    await page.keyboard.press('Tab');
    await expect.poll(() => readFileSync(path.join(app.home, 'settings.json'), 'utf8')).toContain('"maxSteps": 7');
    await app.stop();
    const again = await openApp(browser, { home: app.home, workspace: app.workspace });
    await again.page.goto(`${again.app.origin}/#/settings`);
    await again.page.getByRole('heading', { name: '设置', exact: true }).waitFor();
    expect(await again.page.getByLabel('每次运行的步数').inputValue()).toBe('7');
    await expect.poll(() => again.page.locator('html').getAttribute('data-theme')).toBe('dark');
  });
});
