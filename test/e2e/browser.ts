import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { chromiumPath } from '../fixtures/environment.ts';

export const SIZES = {
  desktop: { width: 1440, height: 900 },
  small: { width: 1000, height: 700 },
  phone: { width: 420, height: 800 },
} as const;
export type Size = keyof typeof SIZES;

export interface PageOptions {
  size?: Size;
  theme?: 'light' | 'dark';
  language?: 'en-US' | 'zh-CN';
}

/** Pictures for people to look at; the folder is not in git. */
const ARTIFACTS = path.join(import.meta.dirname, '../artifacts');

/** The installed Chromium, without its sandbox: test machines run as root. */
export async function launchBrowser(): Promise<Browser> {
  if (!chromiumPath) throw new Error('Chromium is not installed');
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
}

/**
 * A new page in a profile of its own, closed with the test. The test fails when the page logged an error, broke its own
 * content policy, or asked for anything that is not on this machine.
 */
export async function openPage(
  browser: Browser,
  { size = 'desktop', theme = 'light', language = 'en-US' }: PageOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: SIZES[size],
    colorScheme: theme,
    locale: language,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    // A broken connection is logged by the browser itself, and some tests break it on purpose.
    if (message.type() === 'error' && !message.text().includes('WebSocket'))
      problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!/^(http:\/\/(127\.0\.0\.1|localhost)[:/]|data:|blob:|about:srcdoc)/.test(request.url()))
      problems.push(`request to ${request.url()}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(problems).toEqual([]);
  });
  return page;
}

/** Keeps a picture of the page as test/artifacts/NAME.png. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(ARTIFACTS, { recursive: true });
  await page.screenshot({ path: path.join(ARTIFACTS, `${name}.png`) });
}

/** Goes to the top of the timeline as a person does, by the Home key. */
export async function goToTop(page: Page): Promise<void> {
  const flow = page.locator('.scroller');
  await expect
    .poll(async () => {
      await flow.press('Home');
      return flow.evaluate((element) => element.scrollTop);
    })
    .toBe(0);
}
