import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../fixtures/environment.ts';
import { startModelServer, type ModelServer } from '../fixtures/model-server/index.ts';
import { keepPicture, launchBrowser, openPage, type PageOptions } from './browser.ts';
import { startApp } from './fixtures/app.ts';

const NUMBERS = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';
const editor = (input: object) => ({ name: 'str_replace_editor', arguments: input });

interface Visit {
  page: Page;
  model: ModelServer;
  /** The text of a file of the workspace; null for none. */
  read(name: string): string | null;
  write(name: string, text: string): void;
  send(text: string): Promise<void>;
}

/** A real session of two runs, led by a scripted model: the first makes two files, the second changes one, by editor and shell. */
async function visit(browser: Browser, options?: PageOptions): Promise<Visit> {
  const model = await startModelServer([
    {
      calls: [
        { id: 'a', ...editor({ command: 'create', path: 'numbers.txt', file_text: NUMBERS }) },
        { id: 'b', ...editor({ command: 'create', path: 'other.txt', file_text: 'other\n' }) },
      ],
    },
    { text: 'Both files are there.' },
    {
      calls: [{ id: 'c', ...editor({ command: 'str_replace', path: 'numbers.txt', old_str: 'two', new_str: 'TWO' }) }],
    },
    { calls: [{ id: 'd', name: 'bash', arguments: { command: 'echo more >>other.txt; echo x >made.txt' } }] },
    { text: 'Changed.' },
    { text: 'What now?' },
  ]);
  const app = await startApp({
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'x', CAUSEWAY_MODEL: 'scripted' },
  });
  const page = await openPage(browser, options);
  await page.goto(app.link);
  const at = (name: string): string => path.join(app.workspace, name);
  async function send(text: string): Promise<void> {
    const ends = await page.locator('[data-kind=run-end]').count();
    await page.getByRole('textbox').first().fill(text);
    await page.keyboard.press('Enter');
    await page.locator('[data-kind=run-end]').nth(ends).waitFor();
  }
  await page.getByRole('textbox').first().waitFor();
  await send('Make two files');
  await send('Now change them');
  return {
    ...{ page, model, send },
    read: (name) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : null),
    write: (name, text) => writeFileSync(at(name), text),
  };
}

describe.skipIf(!chromiumPath)('going back (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('to before a message puts files and conversation back, and forward again', async () => {
    const { page, model, read, send } = await visit(browser);
    const message = page.locator('[data-kind=user]', { hasText: 'Now change them' });
    await message.hover();
    await message.getByRole('button', { name: 'Go back to here…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('made.txt').waitFor();
    expect(
      await dialog.locator('[data-will]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-will'))),
    ).toEqual(['delete', 'modify', 'modify']);
    await keepPicture(page, 'going-back');
    await dialog.getByRole('button', { name: 'Go back', exact: true }).click();
    const line = page.locator('[data-kind=rewound]');
    await line.getByText('You went back: 3 files and the conversation').waitFor();
    expect([read('numbers.txt'), read('other.txt'), read('made.txt')]).toEqual([NUMBERS, 'other\n', null]);
    expect(await page.locator('[data-kind=user]', { hasText: 'Now change them' }).count()).toBe(0);
    // The message stands in the composer, to be written anew.
    expect(await page.getByRole('textbox').first().inputValue()).toBe('Now change them');
    await line.getByRole('button', { name: /taken back/ }).click();
    await line.getByText('Changed.').waitFor();
    await keepPicture(page, 'gone-back');

    await send('Something else');
    const { request } = await model.request(5);
    const said = request.messages.map(({ content }) => String(content)).join('\n');
    expect(said).toContain('Both files are there.');
    expect(said).not.toContain('Now change them');

    await line.getByRole('button', { name: 'Go forward again…' }).click();
    await dialog.getByRole('button', { name: 'Go forward', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.mine:not(.taken *)', { hasText: 'Now change them' }).waitFor();
    expect([read('other.txt'), read('made.txt')]).toEqual(['other\nmore\n', 'x\n']);
    expect(read('numbers.txt')).toContain('TWO');
  });

  it('to after a step puts files alone back, where that is asked for', async () => {
    const { page, read } = await visit(browser);
    const step = page.locator('[data-call]', { hasText: 'numbers.txt' }).last();
    await step.hover();
    await step.getByRole('button', { name: 'Go back to here…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /^Files The/ }).check();
    await dialog.getByRole('button', { name: 'Go back', exact: true }).click();
    await page.getByText('You put 2 files back').waitFor();
    expect([read('other.txt'), read('made.txt')]).toEqual(['other\n', null]);
    expect(read('numbers.txt')).toContain('TWO');
    await page.getByText('Changed.').waitFor();
  });

  it('over a whole run is one click, and one more does it again', async () => {
    const { page, read } = await visit(browser);
    const end = page.locator('[data-kind=run-end]').last();
    await end.getByRole('button', { name: 'Undo this run (3 files)' }).click();
    await end.getByRole('button', { name: 'Redo this run' }).waitFor();
    expect([read('numbers.txt'), read('other.txt'), read('made.txt')]).toEqual([NUMBERS, 'other\n', null]);
    await end.getByRole('button', { name: 'Redo this run' }).click();
    await end.getByRole('button', { name: /Undo this run/ }).waitFor();
    expect(read('made.txt')).toBe('x\n');
  });

  it.each(['light', 'dark'] as const)('over a file that has changed since offers to merge (%s)', async (theme) => {
    const { page, read, write } = await visit(browser, { theme });
    write('numbers.txt', `${String(read('numbers.txt')).replace('nine', 'NINE')}`);
    await page.locator('[data-call]', { hasText: 'numbers.txt' }).last().getByRole('button', { name: 'Undo' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The edit is taken back, and what was changed since is kept.').waitFor();
    await keepPicture(page, `conflict-merged-${theme}`);
    await dialog.getByRole('button', { name: 'As it was before the edit' }).click();
    await dialog.getByText('The whole file as it was before').waitFor();
    await dialog.getByRole('button', { name: 'Merged', exact: true }).click();
    await dialog.getByRole('button', { name: 'Take the merged text' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(read('numbers.txt')).toBe(NUMBERS.replace('nine', 'NINE'));
  });
});
