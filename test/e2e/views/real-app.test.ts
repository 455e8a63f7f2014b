import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerConfig } from '../../../src-shared/index.ts';
import { chromiumPath } from '../../fixtures/environment.ts';
import { startModelServer } from '../../fixtures/model-server/index.ts';
import { keepPicture, launchBrowser } from '../browser.ts';
import { openTool, runTool } from './setup.ts';

/** Its package keeps its manifest to itself, so its program is named here. */
const PROGRAM = '../../../node_modules/@modelcontextprotocol/server-budget-allocator/dist/index.js';
const budget: ServerConfig = {
  command: process.execPath,
  args: [path.join(import.meta.dirname, PROGRAM), '--stdio'],
  env: {},
  disabled: false,
};

describe.skipIf(!chromiumPath)('an MCP App from npm in the timeline (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it.each(['light', 'dark'] as const)('shows its data, in the %s theme of the window', async (theme) => {
    const { page, view } = await openTool(browser, { budget }, 'mcp_budget_get-budget-data', { theme });
    await runTool(page);
    await view.getByText('Marketing').first().waitFor();
    await page.locator('[data-view=live]').waitFor();
    const dark = await view.locator('body').evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
    expect(dark).toBe(theme === 'dark');
    await expect
      .poll(async () => (await page.locator('[data-view] iframe').boundingBox())?.height)
      .toBeGreaterThan(400);
    await page.locator('article').first().scrollIntoViewIfNeeded();
    await keepPicture(page, `view-budget-${theme}`);
  });

  it('stands in a session as a step of the agent, in Chinese too', async () => {
    const calls = [{ name: 'mcp_budget_get-budget-data', arguments: {} }];
    const server = await startModelServer([{ calls }, { text: '这是预算。' }]);
    const env = { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: server.baseUrl, CAUSEWAY_MODEL: 'scripted-test' };
    const { app, page, view } = await openTool(browser, { budget }, 'mcp_budget_get-budget-data', {
      ...{ env, language: 'zh-CN' },
    });
    await page.goto(`${app.origin}/#/`);
    await page.getByRole('textbox').last().fill('看看预算');
    await page.keyboard.press('Enter');
    await page.locator('[data-state=waiting] .primary').click();
    await view.getByText('Marketing').first().waitFor();
    await page.locator('[data-kind=run-end]').waitFor();
    await keepPicture(page, 'view-budget-session-zh');
  });
});
