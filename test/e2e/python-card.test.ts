import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, hasBubblewrap } from '../fixtures/environment.ts';
import { startModelServer } from '../fixtures/model-server/index.ts';
import { keepPicture, launchBrowser, openPage } from './browser.ts';
import { startApp } from './fixtures/app.ts';

/** Runs for as long as there is a file `wait`. */
const CODE = 'import os, time\nopen("ran", "w").close()\nwhile os.path.exists("wait"): time.sleep(0.01)\nprint("over")';

describe.skipIf(!chromiumPath)('the window (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it.skipIf(!hasBubblewrap)('says what a restart of Python waits for (needs bubblewrap)', async () => {
    const model = await startModelServer([
      { calls: [{ id: 'one', name: 'python_execute', arguments: { code: CODE, session: true, timeout: 600 } }] },
      { text: 'Done.' },
    ]);
    const app = await startApp({
      env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'x', CAUSEWAY_MODEL: 'scripted' },
    });
    const file = (name: string): string => path.join(app.workspace, name);
    const page = await openPage(browser);
    await page.goto(app.link);
    await page.getByRole('textbox').first().fill('Wait for it.');
    await page.keyboard.press('Enter');
    await page.locator('[data-kind=run-end]').waitFor({ timeout: 90_000 });
    const step = page.locator('[data-call]').first();
    const toggle = step.locator('.toggle');
    if ((await toggle.getAttribute('aria-expanded')) !== 'true') await toggle.click();

    rmSync(file('ran'));
    writeFileSync(file('wait'), '');
    await step.getByRole('button', { name: 'Run again' }).click();
    await expect.poll(() => existsSync(file('ran')), { timeout: 30_000 }).toBe(true);
    await step.getByRole('button', { name: 'Restart Python' }).click();
    await step.getByText('once the call that runs has ended').waitFor();
    await step.scrollIntoViewIfNeeded();
    await keepPicture(page, 'python-restarting');
    rmSync(file('wait'));
    await step.getByText('the variables are gone').waitFor();
    expect(await step.getByText('once the call that runs has ended').count()).toBe(0);
  });

  it('takes what it said of a failure away with the page that it was about', async () => {
    const app = await startApp();
    const page = await openPage(browser);
    await page.goto(app.link);
    await page.getByRole('textbox').first().waitFor();
    await page.goto(`${app.origin}/#/settings`);
    await page.getByLabel('Hosts that code may reach').fill('example.org:99999');
    await page.getByLabel('Hosts that code may reach').blur();
    const notice = page.locator('.notice', { hasText: 'a port from 1 to 65535' });
    await notice.waitFor();
    await keepPicture(page, 'settings-refused');
    await page.goto(`${app.origin}/#/tools`);
    await page.getByRole('heading', { name: 'Tools' }).first().waitFor();
    await expect.poll(() => notice.count()).toBe(0);
  });
});
