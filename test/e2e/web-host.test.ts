import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../fixtures/environment.ts';
import { launchBrowser, startApp } from './fixtures/app.ts';

describe.skipIf(!chromiumPath)('the window of the web host (needs Chromium)', () => {
  it('opens by its link, with nothing refused by its own security policy', async () => {
    const app = await startApp();
    const browser = await launchBrowser();
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(app.link);
    await page.getByRole('textbox').first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(complaints).toEqual([]);
  });

  it('plays the demo with a picture that is really shown, and shows it again after a restart', async () => {
    const app = await startApp();
    const browser = await launchBrowser();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(app.link);
    await page.getByRole('button', { name: 'Show me' }).click();
    const picture = page.locator('img[src*="/blob/"]').first();
    await picture.waitFor({ timeout: 60_000 });
    const size = await picture.evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    });
    expect(Math.min(...size)).toBeGreaterThan(100);
    const { hash } = new URL(page.url());
    await app.stop();

    const again = await startApp({ home: app.home, workspace: app.workspace });
    await page.goto(again.link);
    await page.goto(`${again.origin}/${hash}`);
    await page.locator('img[src*="/blob/"]').first().waitFor();
    expect(hash).toMatch(/^#\/session\//);
  });
});
