import { rmSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../fixtures/environment.ts';
import { startModelServer, type Reply } from '../../fixtures/model-server/index.ts';
import { scripted } from '../../integration/mcp-client/setup.ts';
import { keepPicture, launchBrowser, type PageOptions } from '../browser.ts';
import { startApp, type StartOptions } from '../fixtures/app.ts';
import { openTool, runTool, viewIn, type ViewBench } from './setup.ts';

const servers = { views: scripted('views') };

/** The view `plain`, alive, at the page of its tool. */
async function openPlain(browser: Browser, options: PageOptions & StartOptions = {}): Promise<ViewBench> {
  const bench = await openTool(browser, servers, 'mcp_views_plain', options);
  await runTool(bench.page);
  await bench.page.locator('[data-view=live]').waitFor();
  return bench;
}

/** In a session with a model that plays these replies, asking before anything changes. */
async function openSession(browser: Browser, replies: Reply[]): Promise<ViewBench & Awaited<ReturnType<typeof model>>> {
  const played = await model(replies);
  const { app, page } = await openTool(browser, servers, 'mcp_views_plain', { env: played.env });
  await page.goto(`${app.origin}/#/`);
  await page.getByPlaceholder('Describe a task').fill('Show it');
  await page.keyboard.press('Enter');
  await page.locator('[data-view=live]').waitFor();
  await page.locator('[data-kind=run-end]').waitFor();
  return { app, page, view: viewIn(page), ...played };
}

async function model(replies: Reply[]) {
  const server = await startModelServer(replies);
  const env = { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: server.baseUrl, CAUSEWAY_MODEL: 'scripted-test' };
  return { server, env };
}

function said(view: ViewBench['view']): Locator {
  return view.locator('#said');
}

async function press(view: ViewBench['view'], name: string): Promise<void> {
  await view.getByRole('button', { name, exact: true }).click();
}

const showIt: Reply = { calls: [{ name: 'mcp_views_plain', arguments: { who: 'Ada' } }] };

describe.skipIf(!chromiumPath)('the view of a tool call (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('is told what was asked and answered, in the colours and the language of the window, as tall as it wants', async () => {
    const { page, view } = await openPlain(browser, { theme: 'dark', language: 'zh-CN' });
    await expect.poll(() => view.locator('#result').textContent()).toBe('the result of plain');
    expect(await view.locator('#input').textContent()).toBe('{}');
    const root = view.locator('html');
    expect(await root.getAttribute('lang')).toBe('zh-CN');
    expect(await root.getAttribute('data-theme')).toBe('dark');
    await expect.poll(() => heightOf(page)).not.toBe(240);
    await press(view, 'Grow');
    await expect.poll(() => heightOf(page)).toBe(500);
  });

  it('calls tools of its server that are meant for it; each is a step below it, and one that changes things asks', async () => {
    const { page, view } = await openPlain(browser);
    await press(view, 'Count');
    await expect.poll(() => said(view).textContent()).toBe('counted 1');
    await press(view, 'Change');
    const asked = page.locator('[data-view-calls] [data-state=waiting]');
    await asked.getByText('may change things').waitFor();
    await keepPicture(page, 'view-asks');
    await asked.getByRole('button', { name: 'Allow once' }).click();
    await expect.poll(() => said(view).textContent()).toBe('the result of change');
    await press(view, 'Change');
    await page.locator('[data-view-calls] [data-state=waiting]').getByRole('button', { name: /Deny/ }).click();
    await page
      .locator('[data-view-calls] [data-state=waiting]')
      .getByRole('button', { name: 'Deny', exact: true })
      .click();
    await expect.poll(() => said(view).textContent()).toContain('The person said no');
    await press(view, 'Secret');
    await expect.poll(() => said(view).textContent()).toMatch(/^refused: .*may not call "secret"/);
    await press(view, 'Read');
    await expect.poll(() => said(view).textContent()).toBe('the first note');
  });

  it('opens a link only when the person says so, having seen the address', async () => {
    const { page, view } = await openPlain(browser);
    await press(view, 'Link');
    const question = page.locator('[data-view-ask=link]');
    await question.getByText('https://example.org/page?a=1').waitFor();
    await keepPicture(page, 'view-link');
    await question.getByRole('button', { name: 'No' }).click();
    await expect.poll(() => said(view).textContent()).toBe('{"isError":true}');
    expect(page.context().pages()).toHaveLength(1);
  });

  it('fills the window at a click in it, with a bar that says whose it is, and keeps its state on the way back', async () => {
    const { page, view } = await openPlain(browser);
    await press(view, 'Count');
    const mode = (): Promise<string | null> => view.locator('html').getAttribute('data-mode');
    // Right after a click in the window itself it is refused.
    await expect
      .poll(
        async () => {
          await press(view, 'Fill');
          return mode();
        },
        { timeout: 15_000, interval: 1000 },
      )
      .toBe('fullscreen');
    await page.getByText('View of plain, from views').waitFor();
    await keepPicture(page, 'view-filled');
    await page.getByRole('button', { name: 'Leave full screen' }).click();
    await expect.poll(mode).toBe('inline');
  });

  it('takes no keys that are meant for the window', async () => {
    const { page, view } = await openPlain(browser);
    await press(view, 'Grab');
    const search = page.getByPlaceholder('Search tools');
    await search.click();
    await search.pressSequentially('a password', { delay: 40 });
    // The one key that falls into the moment of a theft may be lost.
    expect((await search.inputValue()).length).toBeGreaterThan('a password'.length - 3);
  });

  it('may clean up when its card closes, and starts anew when it opens again', async () => {
    const { page, view } = await openPlain(browser);
    const card = page.getByRole('button', { name: /Called/ }).first();
    await card.click();
    await page.locator('[data-view]').waitFor({ state: 'detached' });
    await card.click();
    await page.locator('[data-view=live]').waitFor();
    await page.locator('[data-view-calls]').getByText('count("teardown")').waitFor();
    await expect.poll(() => view.locator('#result').textContent()).toBe('the result of plain');
    await press(view, 'Leave');
    await page.getByText('The view closed itself.').waitFor();
  });

  it('in a session: tells the model what it shows, with the next message, unless the person objects', async () => {
    const { page, view, server } = await openSession(browser, [
      showIt,
      { text: 'Here it is.' },
      { text: 'Blue it is.' },
    ]);
    await expect.poll(() => view.locator('#input').textContent()).toBe('{"who":"Ada"}');
    await press(view, 'Tell');
    await page.locator('[data-view-tells]').getByRole('button', { name: 'Do not tell' }).click();
    await press(view, 'Tell');
    await expect.poll(() => said(view).textContent()).toMatch(/^refused/);
    await press(view, 'Say');
    const question = page.locator('[data-view-ask=say]');
    await question.getByText('Please go on.').waitFor();
    await question.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Blue it is.').waitFor();
    const { request } = await server.request(2);
    expect(JSON.stringify(request.messages)).toContain('Please go on.');
    expect(JSON.stringify(request.messages)).not.toContain('view-state');
    expect(request.tools?.map((tool) => tool.function.name)).not.toContain('mcp_views_count');
  });

  it('in a session: what it wants the model to know is fenced, attributed and seen by the person', async () => {
    const { page, view, server } = await openSession(browser, [
      showIt,
      { text: 'Here it is.' },
      { text: 'Blue it is.' },
    ]);
    await press(view, 'Tell');
    await page.locator('[data-view-tells]').getByRole('button', { name: 'Show it' }).click();
    await page.getByText('"chosen": "blue"').waitFor();
    await keepPicture(page, 'view-tells');
    await page.getByRole('textbox').last().fill('Which one?');
    await page.keyboard.press('Enter');
    await page.getByText('Blue it is.').waitFor();
    const { request } = await server.request(2);
    const note = request.messages.find(({ content }) => String(content).includes('view-state'));
    expect(note?.content).toMatch(/^\[Note from Causeway, not from the person: The view of "plain" \(server "views"\)/);
    await page.locator('[data-view-tells]').waitFor({ state: 'detached' });
  });

  it('of an old session is shown again from what was kept, without its server', async () => {
    const { app, page } = await openSession(browser, [showIt, { text: 'Here it is.' }]);
    const { hash } = new URL(page.url());
    await app.stop();
    rmSync(`${app.home}/mcp.json`);
    const again = await startApp({ home: app.home, workspace: app.workspace });
    await page.goto(again.link);
    await page.goto(`${again.origin}/${hash}`);
    await page.locator('[data-view=live]').waitFor();
    await expect.poll(() => viewIn(page).locator('#result').textContent()).toBe('the result of plain');
  });
});

async function heightOf(page: Page): Promise<number> {
  return (await page.locator('[data-view] iframe').boundingBox())?.height ?? 0;
}
