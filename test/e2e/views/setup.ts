import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { WebSocket } from 'ws';
import { rpcResponse, type ServerConfig } from '../../../src-shared/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { openPage, type PageOptions } from '../browser.ts';
import { startApp, type RunningApp, type StartOptions } from '../fixtures/app.ts';

export interface ViewBench {
  app: RunningApp;
  page: Page;
  /** What is within the frame of the newest view. */
  view: FrameLocator;
}

/**
 * The program with these servers attached, its window open at the page of a tool.
 * @param options `quiet`: what the browser complains of is what the test is about.
 */
export async function openTool(
  browser: Browser,
  servers: Record<string, ServerConfig>,
  tool: string,
  { quiet = false, ...options }: PageOptions & StartOptions & { quiet?: boolean } = {},
): Promise<ViewBench> {
  const home = temporaryFolder('causeway-home-');
  writeFileSync(path.join(home, 'mcp.json'), JSON.stringify({ mcpServers: servers }));
  const app = await startApp({ home, ...options });
  const page = quiet ? await browser.newPage() : await openPage(browser, options);
  await page.goto(app.link);
  await page.locator('main').first().waitFor();
  await page.goto(`${app.origin}/#/tools/${tool}`);
  await page.locator('form .primary').waitFor();
  return { app, page, view: viewIn(page) };
}

/** The view itself: a frame within the frame. */
export function viewIn(page: Page): FrameLocator {
  return page.frameLocator('[data-view] iframe').first().frameLocator('iframe');
}

/** Runs the tool that the page is open at, with these arguments. */
export async function runTool(page: Page, input: Record<string, string> = {}): Promise<void> {
  for (const [name, value] of Object.entries(input)) {
    await page.getByRole('textbox', { name: new RegExp(`^${name}`) }).fill(value);
  }
  await page.locator('form .primary').click();
}

/**
 * What the core answers to a request of the window, asked with its cookie but not in it: a browser takes what a test evaluates in a
 * page for something that the person did.
 */
export async function ask(page: Page, method: string, params: object): Promise<unknown> {
  const { origin, host } = new URL(page.url());
  const cookies = await page.context().cookies(origin);
  const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const socket = new WebSocket(`ws://${host}/rpc`, { headers: { Cookie, Origin: origin } });
  try {
    await once(socket, 'open');
    const answered = Promise.withResolvers<unknown>();
    socket.on('message', (data) => {
      const answer = rpcResponse.safeParse(JSON.parse(String(data)));
      if (answer.success) answered.resolve('result' in answer.data ? answer.data.result : answer.data.error);
    });
    socket.send(JSON.stringify({ id: 1, method, params }));
    return await answered.promise;
  } finally {
    socket.terminate();
  }
}
