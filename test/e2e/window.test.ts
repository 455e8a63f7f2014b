import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventBody } from '../../src-shared/index.ts';
import { chromiumPath } from '../fixtures/environment.ts';
import { busyScene, firstScene } from '../fixtures/scripted-core/scenes.ts';
import { goToTop, keepPicture, launchBrowser } from './browser.ts';
import { openScene } from './scripted.ts';

const inSession = (messageId: string, text: string): EventBody => ({
  type: 'message.assistant',
  runId: 'run-1',
  messageId,
  text,
  toolCalls: [],
});

/** States that the real program reaches only by luck or after long; the real flows are in flows.test.ts. */
describe.skipIf(!chromiumPath)('the window on a scripted core (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('allows a command once, as the person changed it', async () => {
    const { page, host } = await openScene(browser, busyScene, '/session/tide');
    await page.getByLabel('What would run').fill('git push --dry-run');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await expect
      .poll(() => host.core.calls.find(({ method }) => method === 'approval.answer')?.input)
      .toEqual({
        approvalId: 'a1',
        decision: 'allow_once',
        input: { command: 'git push --dry-run' },
      });
  });

  it('denies with the reason', async () => {
    const { page, host } = await openScene(browser, busyScene, '/session/tide');
    await page.getByRole('button', { name: 'Deny and say why' }).click();
    await page.getByPlaceholder('Why not').fill('Not before the review');
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await expect
      .poll(() => host.core.calls.find(({ method }) => method === 'approval.answer')?.input)
      .toEqual({
        approvalId: 'a1',
        decision: 'deny',
        message: 'Not before the review',
      });
  });

  it('says in its title and to screen readers what waits', async () => {
    const { page } = await openScene(browser, busyScene, '/settings');
    await expect.poll(() => page.title()).toBe('(2) Waiting for you: Fix the tide table parser');
    expect(await page.locator('[aria-live=assertive]').textContent()).toContain('Fix the tide table parser');
  });

  it('answers a question by a choice or in own words', async () => {
    const { page, host } = await openScene(browser, busyScene, '/session/question');
    await page.getByRole('button', { name: 'Move both readers' }).click();
    await page.getByPlaceholder('Or answer in your own words').fill('Neither');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => host.core.calls.filter(({ method }) => method === 'question.answer').map(({ input }) => input))
      .toEqual([
        { questionId: 'q9', answer: 'Move both readers' },
        { questionId: 'q9', answer: 'Neither' },
      ]);
  });

  it('undoes an edit from its step, by button and by Ctrl+Z, and shows that it is undone', async () => {
    const { page } = await openScene(browser, busyScene, '/session/tide');
    await goToTop(page);
    const step = page.locator('[data-call=c1]');
    await step.getByRole('button', { name: 'Undo' }).click();
    await step.getByRole('button', { name: 'Redo' }).waitFor();
    await expect.poll(() => step.textContent()).toContain('undone');
    await step.getByRole('button', { name: 'Redo' }).click();
    await expect.poll(() => step.getByRole('button', { name: 'Undo' }).isEnabled()).toBe(true);
    await step.locator('button').first().press('Control+z');
    await step.getByRole('button', { name: 'Redo' }).waitFor();
  });

  it('shows a picture large, and closes it by Esc', async () => {
    const { page } = await openScene(browser, busyScene, '/session/finished');
    await page.locator('[data-call=c4] button.picture').click();
    const large = page.locator('dialog img');
    await expect
      .poll(() =>
        large.evaluate((image) => (image instanceof HTMLImageElement ? [image.naturalWidth, image.naturalHeight] : [])),
      )
      .toEqual([1280, 720]);
    await keepPicture(page, 'picture-large');
    await page.keyboard.press('Escape');
    await large.waitFor({ state: 'detached' });
  });

  it('shows a document by its name and size, to be downloaded, and nothing of its bytes', async () => {
    const { page, host } = await openScene(browser, busyScene, '/session/empty');
    const blob = { sha256: 'd'.repeat(64), size: 48_213 };
    const resource = { uri: 'file:///w/annual%20report.pdf', mimeType: 'application/pdf' };
    const input = { command: 'view', path: 'annual report.pdf' };
    const caller = { kind: 'agent', runId: 'run-1' } as const;
    const content = [{ type: 'text' as const, text: 'annual report.pdf is a PDF document of 12 pages, 48213 bytes.' }];
    host.core.happen('empty', { type: 'message.user', runId: 'run-1', text: 'Look at the report' });
    host.core.happen('empty', { type: 'tool.started', callId: 'p1', caller, name: 'str_replace_editor', input });
    host.core.happen('empty', {
      type: 'tool.ended',
      callId: 'p1',
      durationMs: 4,
      result: { content: [...content, { type: 'resource', resource, blob }], isError: false },
    });
    const step = page.locator('[data-call=p1]');
    await step.locator('button').first().click();
    const link = step.getByRole('link', { name: 'Download' });
    await expect.poll(() => link.getAttribute('download')).toBe('annual report.pdf');
    expect(await link.getAttribute('href')).toBe(`./blob/${blob.sha256}?type=application%2Fpdf`);
    expect(await step.innerText()).toContain('application/pdf, 48.2 kB');
    await keepPicture(page, 'document');
  });

  it('streams text, and looks the same after a reload as it did live', async () => {
    const { page, host } = await openScene(browser, busyScene, '/session/empty');
    const { core } = host;
    const call = { callId: 'x1', runId: 'run-1' } as const;
    core.happen('empty', { type: 'message.user', runId: 'run-1', text: 'List the files' });
    core.happen('empty', { type: 'run.started', runId: 'run-1', model: { name: 'm', scripted: true }, tools: 1 });
    for (const text of ['I will ', 'list **them**', ' now.']) {
      host.push({ push: 'delta', delta: { sessionId: 'empty', runId: 'run-1', messageId: 'd1', text } });
    }
    await page.locator('.streaming', { hasText: 'I will list them now.' }).waitFor();
    core.happen('empty', inSession('d1', 'I will list **them** now.'));
    core.happen('empty', {
      type: 'tool.started',
      ...call,
      caller: { kind: 'agent', runId: 'run-1' },
      name: 'bash',
      input: { command: 'ls' },
    });
    core.happen('empty', { type: 'tool.output', callId: 'x1', text: 'a.txt\n' });
    await page.locator('[data-call=x1][data-state=running]', { hasText: 'a.txt' }).waitFor();
    await keepPicture(page, 'live-output');
    core.happen('empty', {
      type: 'tool.ended',
      callId: 'x1',
      durationMs: 40,
      result: { content: [{ type: 'text', text: 'a.txt\nb.txt' }], isError: false },
    });
    core.happen('empty', {
      type: 'run.ended',
      runId: 'run-1',
      outcome: 'done',
      message: '',
      steps: 1,
      durationMs: 900,
    });
    await page.locator('[data-kind=run-end]').waitFor();
    const live = await page.locator('.scroller').innerText();
    expect(live).toContain('Scripted demo, not a model');
    expect(live).toContain('1 step · 900 ms');
    await page.reload();
    await page.locator('[data-kind=run-end]').waitFor();
    expect(await page.locator('.scroller').innerText()).toBe(live);
  });

  it('draws only what is in sight of 2,500 steps, opens at the end, and lets the person scroll up in peace', async () => {
    const { page, host } = await openScene(browser, busyScene, '/session/long');
    await page.locator('[data-kind=run-end]').waitFor();
    expect(await page.locator('[data-call]').count()).toBeLessThan(60);
    await page.locator('.scroller').hover();
    await page.mouse.wheel(0, -4000);
    await page.getByRole('button', { name: 'Latest' }).waitFor();
    const before = await page.locator('.scroller').evaluate((element) => element.scrollTop);
    host.core.happen('long', inSession('new', 'Something new.'));
    await expect.poll(() => host.core.calls.some(({ method }) => method === 'session.watch')).toBe(true);
    expect(await page.locator('.scroller').evaluate((element) => element.scrollTop)).toBe(before);
    await page.getByRole('button', { name: 'Latest' }).click();
    await page.getByText('Something new.').waitFor();
  });

  it('says that the connection is lost, comes back, and shows what it missed', async () => {
    const { page, host } = await openScene(browser, busyScene, '/session/finished');
    await page.locator('[data-kind=run-end]').waitFor();
    host.breakConnections();
    await page.getByText('Connection lost, trying again').waitFor();
    host.core.happen('finished', inSession('missed', 'This happened meanwhile.'));
    await page.getByText('This happened meanwhile.').waitFor();
    await page.getByText('Connection lost, trying again').waitFor({ state: 'detached' });
  });

  it('makes nothing live of what a model or a tool says', async () => {
    const { page, host } = await openScene(browser, busyScene, '/session/empty');
    const attack =
      '<img src=x onerror="window.hit=1"><script>window.hit=1</script><a href="javascript:window.hit=1">go</a> ![p](https://evil.example/p.png) [q](javascript:window.hit=1) <iframe src="https://evil.example"></iframe><form action="https://evil.example"><input name="x"></form><style>body{display:none}</style>';
    host.core.happen('empty', inSession('evil', attack));
    host.core.happen('empty', { type: 'note', text: attack });
    await page.locator('[data-kind=assistant]').waitFor();
    const live = await page.locator('.scroller').evaluate((element) => ({
      elements: element.querySelectorAll('img, script, iframe, form, style, input').length,
      links: [...element.querySelectorAll('a')].map((link) => link.getAttribute('href')),
    }));
    expect(live.elements).toBe(0);
    expect(live.links.filter((href) => href !== null && !href.startsWith('https://'))).toEqual([]);
    expect(await page.evaluate(() => 'hit' in window)).toBe(false);
  });

  it('asks before a link leads out of the window', async () => {
    const { page } = await openScene(browser, busyScene, '/session/finished');
    await page.getByRole('link', { name: 'the CLDR rules' }).click();
    await page.getByText('https://cldr.unicode.org/').waitFor();
    await keepPicture(page, 'leaving');
    await page.getByRole('button', { name: 'Stay here' }).click();
    expect(page.url()).toContain('#/session/finished');
  });

  it('starts a session from the empty window, and keeps a draft over a reload', async () => {
    const { page, host } = await openScene(browser, { ...firstScene, modelReady: true }, '/');
    const task = page.getByPlaceholder('Describe a task');
    await task.fill('Tidy the\nfiles');
    await page.reload();
    expect(await task.inputValue()).toBe('Tidy the\nfiles');
    await task.press('Enter');
    await page.waitForURL(/#\/session\/new-0$/);
    await expect
      .poll(() => host.core.calls.find(({ method }) => method === 'session.send')?.input)
      .toEqual({ sessionId: 'new-0', text: 'Tidy the\nfiles', attachments: [] });
  });

  it('takes servers from pasted JSON, and shows exactly what would run', async () => {
    const { page, host } = await openScene(browser, busyScene, '/servers');
    await page.getByRole('button', { name: 'Add a server' }).click();
    await page
      .getByLabel('mcpServers JSON')
      .fill('{"mcpServers":{"notes":{"command":"npx","args":["-y","notes-mcp"]}}}');
    await page.getByText('npx -y notes-mcp').waitFor();
    await page.getByRole('button', { name: 'Add 1 server' }).click();
    await expect
      .poll(() => host.core.calls.find(({ method }) => method === 'server.addAll')?.input)
      .toMatchObject({ servers: [{ name: 'notes', config: { command: 'npx' } }] });
  });

  it('loses no setting of two that are changed at once', async () => {
    const { page, host } = await openScene(browser, busyScene, '/settings');
    await page.getByLabel('Theme').waitFor();
    await page.evaluate(() => {
      const [theme, language] = [...document.querySelectorAll('select')].slice(-2);
      if (!theme || !language) throw new Error('No selects');
      theme.value = 'dark';
      theme.dispatchEvent(new Event('change', { bubbles: true }));
      language.value = 'zh-CN';
      language.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await expect
      .poll(() => host.core.calls.filter(({ method }) => method === 'settings.set').at(-1)?.input)
      .toMatchObject({ appearance: { theme: 'dark', language: 'zh-CN' } });
  });

  it('switches language and theme at once', async () => {
    const { page } = await openScene(browser, busyScene, '/settings');
    await page.getByLabel('Language').selectOption('zh-CN');
    await page.getByRole('heading', { name: '设置', exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await page.getByLabel('主题').selectOption('dark');
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  });
});
