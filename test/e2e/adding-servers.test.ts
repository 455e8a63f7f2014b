import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../fixtures/environment.ts';
import { manifestOf, writeBundle } from '../fixtures/mcp-bundle.ts';
import { temporaryFolder } from '../fixtures/temporary.ts';
import { keepPicture, launchBrowser, openPage, type PageOptions } from './browser.ts';
import { startApp, type RunningApp } from './fixtures/app.ts';

const FAITHFUL = path.resolve(import.meta.dirname, '../fixtures/servers/faithful.ts');

/** A program whose person has one server in Cursor, opened at the dialog that adds servers. */
async function openDialog(browser: Browser, options?: PageOptions): Promise<{ app: RunningApp; page: Page }> {
  const person = temporaryFolder();
  mkdirSync(path.join(person, '.cursor'));
  const notes = { command: process.execPath, args: [FAITHFUL], env: { NOTES_KEY: 'very-secret' } };
  writeFileSync(path.join(person, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers: { notes, odd: {} } }));
  const app = await startApp({ env: { HOME: person, XDG_CONFIG_HOME: '', CODEX_HOME: '' } });
  const page = await openPage(browser, options);
  await page.goto(app.link);
  await page.goto(`${app.origin}/#/servers`);
  await page
    .getByRole('button', { name: options?.language === 'zh-CN' ? '添加服务器' : 'Add a server' })
    .first()
    .click();
  return { app, page };
}

function configOf({ home }: RunningApp): string {
  return readFileSync(path.join(home, 'mcp.json'), 'utf8');
}

describe.skipIf(!chromiumPath)('adding servers in the window (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('takes the line of a README, shows all of what would run, and starts it after the yes', async () => {
    const { app, page } = await openDialog(browser);
    await page
      .getByLabel('mcpServers JSON')
      .fill(`claude mcp add notes -e NOTES_KEY=very-secret -- ${process.execPath} ${FAITHFUL}`);
    await page
      .getByRole('tabpanel')
      .locator('.target', { hasText: `${process.execPath} ${FAITHFUL}` })
      .waitFor();
    await page.getByRole('tabpanel').getByText('NOTES_KEY=***').waitFor();
    await keepPicture(page, 'add-by-pasting');
    await page.getByRole('button', { name: 'Add 1 server' }).click();
    await page.locator('[data-server=notes][data-state=ready]').waitFor();
    expect(configOf(app)).toContain('very-secret');

    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByLabel('Value of NOTES_KEY').inputValue()).not.toContain('secret');
    await keepPicture(page, 'edit-server');
    await page.getByLabel('Name', { exact: true }).first().fill('mine');
    await page.getByRole('button', { name: 'Save and restart' }).click();
    await page.locator('[data-server=mine][data-state=ready]').waitFor();
    expect(configOf(app)).toContain('very-secret');
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.locator('[data-server=mine][data-state=off]').waitFor();
    await keepPicture(page, 'server-switched-off');
  });

  it('asks before a link adds anything', async () => {
    const { page, app } = await openDialog(browser);
    const config = encodeURIComponent(JSON.stringify({ command: process.execPath, args: [FAITHFUL] }));
    const link = `causeway://add-server?name=linked&config=${config}`;
    await page.goto(`${app.origin}/#/servers/add/${encodeURIComponent(link)}`);
    await page.reload();
    await page.getByText('A link asks to add a server').waitFor();
    await page.locator('[data-proposal=linked]').waitFor();
    await keepPicture(page, 'add-by-link');
    await page.getByRole('button', { name: 'Add 1 server' }).click();
    await page.locator('[data-server=linked][data-state=ready]').waitFor();
  });

  it('takes a server over from another program, secrets masked', async () => {
    const { app, page } = await openDialog(browser);
    await page.getByRole('tab', { name: 'From other apps' }).click();
    await page.locator('[data-proposal=odd][data-status=unknown]').waitFor();
    expect(await page.locator('dialog').innerText()).not.toContain('very-secret');
    await page.getByLabel('Add notes').check();
    await keepPicture(page, 'add-by-import');
    await page.getByRole('button', { name: 'Add 1 server' }).click();
    await page.locator('[data-server=notes][data-state=ready]').waitFor();
    expect(configOf(app)).toContain('very-secret');
  });

  it('unpacks a bundle after asking for what it needs', async () => {
    const { app, page } = await openDialog(browser, { theme: 'dark' });
    const key = {
      type: 'string',
      title: 'API key',
      description: 'From your account.',
      sensitive: true,
      required: true,
    };
    const server = {
      type: 'node',
      entry_point: 'server/index.mjs',
      mcp_config: { command: 'node', args: ['${__dirname}/server/index.mjs'] },
    };
    const manifest = manifestOf({ server, user_config: { key } });
    const file = await writeBundle(path.join(app.workspace, 'notes.mcpb'), manifest);
    await page.getByRole('tab', { name: 'Bundle' }).click();
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('Faithful Notes').waitFor();
    await page.getByLabel('API key').fill('very-secret');
    await keepPicture(page, 'add-by-bundle');
    await page.getByRole('button', { name: 'Add 1 server' }).click();
    await page.locator('[data-server=faithful-notes][data-state=ready]').waitFor();
    expect(configOf(app)).not.toContain('very-secret');
  });

  it('has a form with rows for variables, in Chinese too', async () => {
    const { page } = await openDialog(browser, { language: 'zh-CN', theme: 'dark' });
    await page.getByRole('tab', { name: '填写表单' }).click();
    await page.getByRole('button', { name: '添加一行' }).click();
    await page.getByPlaceholder('API_KEY').fill('API_KEY');
    await page.getByLabel('API_KEY 的值').fill('very-secret');
    expect(await page.getByLabel('API_KEY 的值').getAttribute('type')).toBe('password');
    await keepPicture(page, 'add-by-form');
  });
});
