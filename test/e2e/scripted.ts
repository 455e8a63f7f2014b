import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Scene } from '../fixtures/scripted-core/core.ts';
import { startScriptedHost, type ScriptedHost } from '../fixtures/scripted-core/server.ts';
import { openPage, type PageOptions } from './browser.ts';

const RENDERER = path.join(import.meta.dirname, '../../dist/renderer');

/** The built window on a scripted core, at a route such as `/session/tide`. */
export async function openScene(
  browser: Browser,
  scene: Scene,
  route: string,
  options: PageOptions = {},
): Promise<{ page: Page; host: ScriptedHost }> {
  const host = await startScriptedHost(scene, RENDERER);
  onTestFinished(() => host[Symbol.asyncDispose]());
  const page = await openPage(browser, options);
  await page.goto(`${host.url}#${route}`);
  await page.locator('main').first().waitFor();
  return { page, host };
}
