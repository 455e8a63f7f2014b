import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerView } from '../../src-shared/index.ts';
import { chromiumPath } from '../fixtures/environment.ts';
import { busyScene } from '../fixtures/scripted-core/scenes.ts';
import { startSignInServer, type SignInServer } from '../fixtures/sign-in-server.ts';
import { temporaryFolder } from '../fixtures/temporary.ts';
import { keepPicture, launchBrowser, openPage, type PageOptions } from './browser.ts';
import { startApp } from './fixtures/app.ts';
import { openScene } from './scripted.ts';

/** The Servers page of the real program with one server, which wants a sign-in. */
async function openServersPage(browser: Browser, server: SignInServer, options?: PageOptions): Promise<Page> {
  const home = temporaryFolder('causeway-home-');
  writeFileSync(path.join(home, 'mcp.json'), JSON.stringify({ mcpServers: { notes: { url: server.mcpUrl } } }));
  const app = await startApp({ home });
  const page = await openPage(browser, options);
  await page.goto(app.link);
  await page.locator('main').first().waitFor();
  await page.goto(`${app.origin}/#/servers`);
  return page;
}

const SIGN_INS: ServerView[] = (
  [
    ['notes', 'needs-sign-in', 'needed', 'It wants you to sign in.'],
    ['calendar', 'needs-sign-in', 'waiting', 'The sign-in has ended: it was revoked or is too old.'],
    ['tickets', 'ready', 'more', 'It wants more permissions for what it was asked to do: tickets:write.'],
    ['mail', 'ready', 'done', undefined],
  ] as const
).map(([name, state, signIn, message]) => ({
  name,
  state,
  signIn,
  ...(message && { message }),
  transport: 'http',
  target: `https://mcp.example.com/${name}`,
  tools: [],
  stderr: [],
  ...(state === 'ready' && { connectMs: 210 }),
}));

describe.skipIf(!chromiumPath)('signing in to a server in the window (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('opens the browser when the person asks for it, and goes on by itself', async () => {
    const server = await startSignInServer();
    const page = await openServersPage(browser, server);
    await expect.poll(() => page.locator('[data-server=notes]').getAttribute('data-state')).toBe('needs-sign-in');
    expect(page.context().pages()).toHaveLength(1);

    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const done = await opened;
    await done.getByRole('heading', { name: 'You are signed in' }).waitFor();
    await keepPicture(done, 'sign-in-done-page');
    await expect.poll(() => page.locator('[data-server=notes]').getAttribute('data-state')).toBe('ready');

    await page.locator('[data-server=notes] .toggle').click();
    await page.getByText('You are signed in').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out of it.').waitFor();
    expect(server.accessTokens.size).toBe(0);
  });

  it('tells a person who declines why they are not signed in, in the browser and here', async () => {
    const server = await startSignInServer();
    server.failings.callback = { error: 'access_denied', iss: server.origin };
    const page = await openServersPage(browser, server, { language: 'zh-CN', theme: 'dark' });
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name: '登录', exact: true }).click();
    const failed = await opened;
    await failed.getByRole('heading', { name: '登录没有成功' }).waitFor();
    await keepPicture(failed, 'sign-in-failed-page-zh-dark');
    await page.getByText('declined in the browser').waitFor();
    await page.getByRole('button', { name: '登录', exact: true }).waitFor();
  });

  it('waits while the person is at it, says where, and can be stopped', async () => {
    const { promise: never, resolve } = Promise.withResolvers<undefined>();
    const server = await startSignInServer({ tokenDelay: never });
    const page = await openServersPage(browser, server);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(`Waiting for your sign-in in the browser at ${new URL(server.origin).host}`).waitFor();
    await keepPicture(page, 'sign-in-waiting');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    resolve(undefined);
  });

  it.each([
    ['en-US', 'light', 'Sign in and allow more', 'desktop'],
    ['zh-CN', 'dark', '登录并授予更多权限', 'desktop'],
    ['en-US', 'dark', 'Sign in and allow more', 'phone'],
  ] as const)('shows each state of a sign-in (%s, %s)', async (language, theme, words, size) => {
    const { page } = await openScene(browser, { ...busyScene, servers: SIGN_INS }, '/servers', {
      language,
      theme,
      size,
    });
    await page.getByRole('button', { name: words }).waitFor();
    await page.locator('[data-server=mail] .toggle').click();
    await keepPicture(page, `sign-in-states-${language}-${theme}-${size}`);
  });
});
