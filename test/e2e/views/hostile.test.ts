import type { Browser } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chromiumPath } from '../../fixtures/environment.ts';
import { serve } from '../../fixtures/web-server.ts';
import { scripted } from '../../integration/mcp-client/setup.ts';
import { launchBrowser } from '../fixtures/app.ts';
import { ask, openTool, runTool, viewIn } from './setup.ts';

/** A web server that nothing of a view may reach; gives its address and what was asked of it. */
async function setTrap(): Promise<{ address: string; caught: string[] }> {
  const caught: string[] = [];
  const port = await serve((request, response) => {
    caught.push(request.url ?? '');
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.end('caught');
  });
  return { address: `http://127.0.0.1:${port}`, caught };
}

const started = z.looseObject({ type: z.literal('tool.started'), name: z.string(), input: z.looseObject({}) });

async function callsIn(page: Parameters<typeof ask>[0]): Promise<z.infer<typeof started>[]> {
  const [session] = z.array(z.looseObject({ id: z.string() })).parse(await ask(page, 'session.list', {}));
  const events = z.array(z.unknown()).parse(await ask(page, 'session.watch', { sessionId: session?.id, afterSeq: 0 }));
  return events.flatMap((event) => started.safeParse(event).data ?? []);
}

describe.skipIf(!chromiumPath)('a hostile view (needs Chromium)', () => {
  it('reaches neither window, cookies, network nor other tools, and leads nothing anywhere', async () => {
    const trap = await setTrap();
    const browser: Browser = await launchBrowser();
    const csp = {
      connectDomains: [
        trap.address,
        '*',
        'https:',
        "'unsafe-eval'",
        'https://*.com',
        'https://a.example; script-src *',
      ],
      resourceDomains: [trap.address, 'http://localhost:1'],
      frameDomains: [trap.address],
    };
    const meta = JSON.stringify({ csp, permissions: { camera: {}, geolocation: {} } });
    const servers = {
      views: scripted('views', { VIEW_META: meta }),
      neighbour: scripted('slow'),
    };
    const { app, page } = await openTool(browser, servers, 'mcp_views_hostile', { quiet: true });
    const downloads: string[] = [];
    page.on('download', ({ url }) => downloads.push(url()));
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    await page.getByLabel('Arguments as JSON').fill(JSON.stringify({ trap: trap.address, window: app.origin }));
    await runTool(page);
    await expect
      .poll(async () => (await callsIn(page)).map(({ name }) => name), { timeout: 60_000 })
      .toContain('mcp_views_report');

    const reports = (await callsIn(page)).filter(({ name }) => name === 'mcp_views_report');
    const outcomes = z.record(z.string(), z.string()).parse(reports[0]?.input['outcomes']);
    expect(Object.entries(outcomes).filter(([, outcome]) => !outcome.startsWith('refused '))).toEqual([]);
    expect(Object.keys(outcomes).length).toBeGreaterThan(25);
    expect(reports).toHaveLength(1);
    expect((await callsIn(page)).map(({ name }) => name)).toEqual(['mcp_views_hostile', 'mcp_views_report']);
    // The view's last deed is to lead its own frame away: its page is gone then, and nothing was asked for.
    await viewIn(page).getByText('Trying everything.').waitFor({ state: 'detached' });
    expect(trap.caught).toEqual([]);
    expect(downloads).toEqual([]);
    expect(new URL(page.url()).origin).toBe(app.origin);
    expect(page.context().pages()).toHaveLength(1);
    await page.getByText('Not allowed:').waitFor();
  }, 120_000);

  it.each([
    ['flood', 'far too many messages'],
    ['huge', 'far too large'],
    ['silent', 'did not start'],
  ])('of the kind "%s" is closed, and the plain result is shown with the reason', async (kind, words) => {
    const browser = await launchBrowser();
    const { page } = await openTool(browser, { views: scripted('views') }, `mcp_views_${kind}`, { quiet: true });
    await runTool(page);
    await page.locator('[data-view=failed]').getByText(words).waitFor();
    await page.getByText(`the result of ${kind}`).waitFor();
    await page.getByRole('button', { name: 'Start the view again' }).waitFor();
  });

  it('that hangs holds nothing up but itself', async () => {
    const browser = await launchBrowser();
    const { page } = await openTool(browser, { views: scripted('views') }, 'mcp_views_hang', { quiet: true });
    await runTool(page);
    await page.locator('[data-view=live]').waitFor();
    await page.getByRole('button', { name: 'Plain result', exact: true }).click();
    await page.getByText('the result of hang').waitFor();
    await page.getByRole('button', { name: /Called/ }).click();
    await page.locator('[data-view]').waitFor({ state: 'detached' });
  });

  it('that is no view by its type is not run at all', async () => {
    const browser = await launchBrowser();
    const { page } = await openTool(browser, { views: scripted('views') }, 'mcp_views_typed', { quiet: true });
    await runTool(page);
    await page.getByRole('button', { name: /Called/ }).click();
    await page.getByText('Its view could not be loaded.').waitFor();
    await page.getByText('the result of typed').waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
  });
});
