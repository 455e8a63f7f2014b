import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../fixtures/environment.ts';
import { busyScene } from '../fixtures/scripted-core/scenes.ts';
import { SERVER_STATES } from '../fixtures/scripted-core/server-states.ts';
import { keepPicture, launchBrowser, type PageOptions } from './browser.ts';
import { openScene } from './scripted.ts';

const scene = { ...busyScene, servers: SERVER_STATES };

describe.skipIf(!chromiumPath)('the Servers page (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  const open = (options?: PageOptions) => openScene(browser, scene, '/servers', options);
  const card = (page: Page, name: string) => page.locator(`[data-server="${name}"]`);

  it.each([
    ['light', 'en-US'],
    ['dark', 'zh-CN'],
  ] as const)('shows each state in words (%s, %s)', async (theme, language) => {
    const { page } = await open({ theme, language });
    expect(await page.locator('[data-server]').count()).toBe(SERVER_STATES.length);
    const states = await page.locator('[data-server] .state').allInnerTexts();
    expect(states).toEqual(
      language === 'en-US'
        ? ['ready', 'starting', 'needs sign-in', 'failed', 'failed', 'stopped', 'off']
        : ['就绪', '正在启动', '需要登录', '失败', '失败', '已停止', '已关闭'],
    );
    await keepPicture(page, `servers-states-${theme}`);
  });

  it('says of a server that starts how many tools are known from the last time', async () => {
    const { page } = await open();
    expect(await card(page, 'memory').innerText()).toContain('2 tools known from last time');
    await card(page, 'memory').getByRole('button', { expanded: false }).first().click();
    await expect.poll(() => card(page, 'memory').innerText()).toContain('a call waits until it is there');
  });

  it('asks for what an entry needs, and sends it without showing it', async () => {
    const { page, host } = await open();
    const field = card(page, 'search').getByLabel('API key of the search service');
    expect(await field.getAttribute('type')).toBe('password');
    await field.fill('secret-value');
    await card(page, 'search').getByLabel('Region').selectOption('us');
    await card(page, 'search').getByRole('button', { name: 'Keep and start' }).click();
    const given = () => host.core.calls.filter(({ method }) => method === 'server.setInput').map(({ input }) => input);
    await expect.poll(given).toEqual([
      { id: 'search-key', value: 'secret-value' },
      { id: 'region', value: 'us' },
    ]);
    await expect.poll(() => field.inputValue()).toBe('');
  });

  it('stops a server that runs, and starts one that is stopped', async () => {
    const { page, host } = await open();
    await card(page, 'playwright').getByRole('button', { name: 'Stop' }).click();
    await card(page, '查询工具').getByRole('button', { name: 'Start' }).click();
    const asked = () =>
      host.core.calls.flatMap(({ method }) => (/^server\.(stop|restart)$/.test(method) ? [method] : []));
    await expect.poll(asked).toEqual(['server.stop', 'server.restart']);
  });

  it('says what is wrong with one, step by step', async () => {
    const { page } = await open();
    await card(page, 'weather').getByRole('button', { expanded: false }).first().click();
    await card(page, 'weather').getByRole('button', { name: 'Check this server' }).click();
    await expect.poll(() => card(page, 'weather').locator('li.missing').innerText()).toContain('uv is not installed');
    await keepPicture(page, 'servers-doctor');
  });

  it.each([
    ['light', 'en-US'],
    ['dark', 'zh-CN'],
  ] as const)('shows every message, filtered and searched, with stderr beside (%s)', async (theme, language) => {
    const { page } = await open({ theme, language });
    const server = card(page, 'playwright');
    await server.getByRole('button', { expanded: false }).first().click();
    await server.getByRole('button', { name: language === 'en-US' ? 'Messages' : '消息' }).click();
    await expect.poll(() => server.locator('li[data-kind]').count()).toBe(7);
    await expect.poll(() => server.locator('.stderr').innerText()).toContain('running headless');
    await server.locator('li[data-kind=request]').last().getByRole('button').click();
    await keepPicture(page, `servers-traffic-${theme}`);
    await server.locator('.bar select').selectOption('errors');
    await expect.poll(() => server.locator('li[data-kind]').count()).toBe(3);
    await server.locator('.bar input').fill('refused');
    await expect.poll(() => server.locator('li[data-kind]').count()).toBe(1);
  });
});
