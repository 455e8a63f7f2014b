import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
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

/** The program with these servers attached, its window open at the page of a tool. */
export async function openTool(
  browser: Browser,
  servers: Record<string, ServerConfig>,
  tool: string,
  options: PageOptions & StartOptions = {},
): Promise<ViewBench> {
  const home = temporaryFolder('causeway-home-');
  writeFileSync(path.join(home, 'mcp.json'), JSON.stringify({ mcpServers: servers }));
  const app = await startApp({ home, ...options });
  const page = await openPage(browser, options);
  await page.goto(app.link);
  await page.locator('main').first().waitFor();
  await page.goto(`${app.origin}/#/tools/${tool}`);
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
  await page.getByRole('button', { name: 'Run', exact: true }).click();
}

/** What the core answers to a request of the window, asked in the window's own name. */
export async function ask(page: Page, method: string, params: object): Promise<unknown> {
  const answer = await page.evaluate(
    ([name, input]) =>
      new Promise<string>((resolve, reject) => {
        const socket = new WebSocket(`ws://${location.host}/rpc`);
        socket.onopen = () => socket.send(JSON.stringify({ id: 1, method: name, params: input }));
        socket.onmessage = ({ data }) => {
          if (!String(data).startsWith('{"id":1,')) return;
          socket.close();
          resolve(String(data));
        };
        socket.onerror = () => reject(new Error('no line to the core'));
      }),
    [method, params] as const,
  );
  const parsed = rpcResponse.parse(JSON.parse(answer));
  expect(parsed).not.toHaveProperty('error');
  return 'result' in parsed ? parsed.result : undefined;
}
