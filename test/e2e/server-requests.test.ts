import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../fixtures/environment.ts';
import { startModelServer } from '../fixtures/model-server/index.ts';
import { temporaryFolder } from '../fixtures/temporary.ts';
import { keepPicture, launchBrowser, openPage, type PageOptions } from './browser.ts';
import { startApp } from './fixtures/app.ts';

const FORM = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Which trip do you want to book?',
    requestedSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name', description: 'As in your passport', minLength: 2 },
        mail: { type: 'string', format: 'email', title: 'E-mail' },
        day: { type: 'string', format: 'date', title: 'Day' },
        seats: { type: 'integer', title: 'Seats', minimum: 1, maximum: 9, default: 1 },
        class: {
          type: 'string',
          title: 'Class',
          oneOf: [
            { const: 'e', title: 'Economy' },
            { const: 'b', title: 'Business' },
          ],
          default: 'e',
        },
        meals: { type: 'array', title: 'Meals', items: { type: 'string', enum: ['Breakfast', 'Lunch', 'Dinner'] } },
        quiet: { type: 'boolean', title: 'Quiet carriage', default: true },
      },
      required: ['name', 'mail'],
    },
  },
};
const LINK = {
  method: 'elicitation/create',
  params: {
    mode: 'url',
    message: 'Sign in to your account to go on.',
    url: 'http://127.0.0.1:9/sign-in?state=4f1c9a7e&redirect=https%3A%2F%2Ftrips.example.org%2Fdone',
    elicitationId: 'e1',
  },
};

/** A program with the asking server attached, whose model has it ask `request` in its first step. */
async function openAsking(browser: Browser, request: object, options: PageOptions = {}): Promise<Page> {
  const home = temporaryFolder('causeway-home-');
  const file = path.resolve(import.meta.dirname, '../fixtures/servers/asking.ts');
  const servers = { mcpServers: { trips: { command: process.execPath, args: [file] } } };
  writeFileSync(path.join(home, 'mcp.json'), JSON.stringify(servers));
  writeFileSync(path.join(home, 'settings.json'), JSON.stringify({ approvals: { mode: 'full' } }));
  const model = await startModelServer([
    { calls: [{ name: 'mcp_trips_ask', arguments: { request } }] },
    { text: 'Booked.' },
  ]);
  const app = await startApp({
    home,
    env: { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: model.baseUrl, CAUSEWAY_MODEL: 'scripted-test' },
  });
  const page = await openPage(browser, options);
  await page.goto(app.link);
  // The server must be there when the run begins.
  await page.goto(`${app.origin}/#/tools`);
  await page.getByText('ask', { exact: true }).first().waitFor();
  await page.goto(`${app.origin}/#/`);
  await page.locator('.composer textarea').fill('Book me a trip');
  await page.keyboard.press('Enter');
  await page.locator('[data-request]').waitFor();
  return page;
}

describe.skipIf(!chromiumPath)('what a server asks in the middle of a call (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('is a form from its schema, with its defaults; what is wrong is said at the field, what is right goes to the server', async () => {
    const page = await openAsking(browser, FORM);
    const card = page.locator('[data-request]');
    expect(await card.getByLabel('Seats').inputValue()).toBe('1');
    expect(await card.getByLabel('Quiet carriage').isChecked()).toBe(true);
    await keepPicture(page, 'request-form');
    await card.getByLabel('Name').fill('A');
    await card.getByLabel('E-mail').fill('nobody');
    await card.getByRole('button', { name: 'Send' }).click();
    await card.getByText('At least 2 characters.').waitFor();
    await card.getByText('This must be an e-mail address.').waitFor();
    await keepPicture(page, 'request-form-problems');
    await card.getByLabel('Name').fill('Ann');
    await card.getByLabel('E-mail').fill('ann@example.org');
    await card.getByLabel('Day').fill('2026-12-24');
    await card.getByLabel('Business').check();
    await card.getByLabel('Lunch').check();
    await card.getByLabel('E-mail').press('Enter');
    await page.getByText('You answered trips.').waitFor();
    await page.locator('[data-request]').getByText('Business').waitFor();
    await page.getByText('Booked.').first().waitFor();
    await keepPicture(page, 'request-form-answered');
    await page.locator('[data-call] .toggle').click();
    const given = page.locator('[data-call]');
    await given.getByText('2026-12-24', { exact: true }).waitFor();
    await given.getByText('ann@example.org', { exact: true }).waitFor();
  });

  it('is a page whose whole address and host are shown, and which opens after a click only', async () => {
    const page = await openAsking(browser, LINK, { theme: 'dark', language: 'zh-CN' });
    const card = page.locator('[data-request]');
    await card.getByText(LINK.params.url).waitFor();
    await card.getByText('127.0.0.1:9', { exact: false }).first().waitFor();
    await keepPicture(page, 'request-page-dark-chinese');
    expect(page.context().pages()).toHaveLength(1);
    const opened = page.context().waitForEvent('page');
    await card.getByRole('button', { name: '打开网页' }).click();
    await (await opened).close();
    await page.getByText('Booked.').first().waitFor();
  });

  it('can be declined', async () => {
    const page = await openAsking(browser, FORM, { size: 'phone', language: 'zh-CN' });
    await keepPicture(page, 'request-form-phone-chinese');
    await page.locator('[data-request]').getByRole('button', { name: '拒绝' }).click();
    await page.getByText('你拒绝了 trips 的请求。').waitFor();
  });
});
