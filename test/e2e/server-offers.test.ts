import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../fixtures/environment.ts';
import { startModelServer, type ModelServer } from '../fixtures/model-server/index.ts';
import { temporaryFolder } from '../fixtures/temporary.ts';
import { packaged } from '../integration/mcp-client/setup.ts';
import { keepPicture, launchBrowser, openPage, type PageOptions } from './browser.ts';
import { startApp } from './fixtures/app.ts';

/** A program with server-everything attached, past its start. */
async function openEverything(browser: Browser, options?: PageOptions): Promise<{ page: Page; model: ModelServer }> {
  const home = temporaryFolder('causeway-home-');
  const servers = { mcpServers: { everything: packaged('@modelcontextprotocol/server-everything') } };
  writeFileSync(path.join(home, 'mcp.json'), JSON.stringify(servers));
  const model = await startModelServer([{ text: 'Read.' }]);
  const app = await startApp({
    home,
    env: { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: model.baseUrl, CAUSEWAY_MODEL: 'scripted-test' },
  });
  const page = await openPage(browser, options);
  await page.goto(app.link);
  const task = page.locator('.composer textarea');
  // The server may still be starting: what it offers is in the menu as soon as it is there.
  await expect
    .poll(async () => {
      await task.fill('');
      await task.pressSequentially('@');
      return menuOf(page).count();
    })
    .toBeGreaterThan(0);
  await task.fill('');
  return { page, model };
}

/** The lines of the open menu. */
const menuOf = (page: Page) => page.locator('.menu [role=option]');

describe.skipIf(!chromiumPath)('the composer with an attached server (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('attaches a resource with @, by keyboard alone, and the model gets its contents with whose they are', async () => {
    const { page, model } = await openEverything(browser);
    const task = page.locator('.composer textarea');
    await task.pressSequentially('Sum up @arch');
    await menuOf(page).first().waitFor();
    await keepPicture(page, 'composer-resources');
    await task.press('Enter');
    await page.locator('.attachments .chip').waitFor();
    expect(await task.inputValue()).toBe('Sum up ');
    await keepPicture(page, 'composer-attached');
    await task.press('Enter');
    await page.getByText('Read.').first().waitFor();
    await keepPicture(page, 'message-with-attachment');
    const asked = JSON.stringify((await model.request(0)).request.messages.at(-1));
    expect(asked).toContain('attached-resource server=\\"everything\\"');
    expect(await page.locator('.me .chip').count()).toBe(1);
  });

  it('fills the gaps of an address before it attaches it', async () => {
    const { page } = await openEverything(browser, { theme: 'dark', language: 'zh-CN' });
    const task = page.locator('.composer textarea');
    await task.pressSequentially('@dynamic/text');
    await task.press('Tab');
    await page.getByLabel('resourceId').fill('7');
    await keepPicture(page, 'composer-template-dark-chinese');
    await page.getByLabel('resourceId').press('Enter');
    await page.locator('.attachments').getByText('demo://resource/dynamic/text/7').waitFor();
  });

  it('offers prompts with /, with a form for their arguments and the suggestions of the server; its words are seen before they are sent', async () => {
    const { page } = await openEverything(browser);
    const task = page.locator('.composer textarea');
    await task.pressSequentially('/');
    await menuOf(page).nth(1).waitFor();
    await keepPicture(page, 'composer-prompts');
    await task.pressSequentially('completable');
    await task.press('Enter');
    const department = page.getByLabel('department');
    await department.pressSequentially('E');
    await expect.poll(() => page.locator('datalist option[value=Engineering]').count()).toBe(1);
    await keepPicture(page, 'composer-prompt-arguments');
    await department.fill('Engineering');
    await page.getByLabel('name').fill('Alice');
    await page.getByLabel('name').press('Enter');
    await expect.poll(() => task.inputValue()).toContain('Engineering');
  });

  it('closes the menu with Esc, and leaves plain text alone', async () => {
    const { page } = await openEverything(browser);
    const task = page.locator('.composer textarea');
    await task.pressSequentially('mail me@example.org');
    expect(await menuOf(page).count()).toBe(0);
    await task.fill('');
    await task.pressSequentially('@');
    await menuOf(page).first().waitFor();
    await task.press('Escape');
    expect(await menuOf(page).count()).toBe(0);
    await task.pressSequentially('arch');
    expect(await menuOf(page).count()).toBe(0);
  });
});
