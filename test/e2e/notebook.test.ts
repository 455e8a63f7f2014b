import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../fixtures/environment.ts';
import { startModelServer } from '../fixtures/model-server/index.ts';
import { keepPicture, launchBrowser, openPage } from './browser.ts';
import { startApp } from './fixtures/app.ts';

const hasLibraries = spawnSync('/usr/bin/python3', ['-c', 'import pandas, matplotlib']).status === 0;

const python = (id: string, code: string) => ({
  calls: [{ id, name: 'python_execute', arguments: { code, session: true } }],
});
const LOAD = `import pandas as pd

tides = pd.read_csv('tides.csv')
print(f'{len(tides)} rows')
tides`;
const PLOT = `import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(6, 3))
ax.plot(tides['hour'], tides['height'])
ax.set(title='Height over the day', xlabel='hour', ylabel='m')

fig2, ax2 = plt.subplots(figsize=(6, 3))
tides.groupby('port')['height'].max().plot.bar(ax=ax2)
ax2.set(title='Highest by port')`;
const WRONG = `mean = tides['heigth'].mean()
print(mean)`;
const RIGHT = `mean = tides['height'].mean()
open('mean.txt', 'w').write(f'{mean:.2f} m')
print(f'{mean:.2f} m')`;

/** By what their code begins with. */
const STARTS = {
  load: 'import pandas',
  plot: 'import matplotlib',
  wrong: "mean = tides['heigth']",
  right: "mean = tides['height']",
};

const HOURS = Array.from({ length: 48 }, (_, hour) => hour);
const CSV = [
  'port,hour,height',
  ...HOURS.map((hour) => `${hour % 2 ? 'Brest' : 'Roscoff'},${hour / 2},${(3 + 2 * Math.sin(hour / 4)).toFixed(2)}`),
];

describe.skipIf(!chromiumPath || !hasLibraries)(
  'a session like a notebook (needs Chromium, python3-pandas, python3-matplotlib)',
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchBrowser();
    });
    afterAll(() => browser.close());

    it.each(['light', 'dark'] as const)(
      'has its table, figures, an error and what mended it, and runs a step again (%s)',
      async (theme) => {
        const model = await startModelServer([
          python('load', LOAD),
          python('plot', PLOT),
          python('wrong', WRONG),
          { ...python('right', RIGHT), text: 'A name was misspelt: once more.' },
          { text: 'The mean height is 3.04 m; it is in mean.txt.' },
        ]);
        const app = await startApp({
          env: {
            OPENAI_BASE_URL: model.baseUrl,
            OPENAI_API_KEY: 'x',
            CAUSEWAY_MODEL: 'scripted',
            PATH: `/usr/bin:${process.env['PATH']}`,
          },
        });
        writeFileSync(path.join(app.workspace, 'tides.csv'), CSV.join('\n'));
        const page = await openPage(browser, { theme });
        await page.goto(app.link);
        await page.getByRole('textbox').first().fill('What is the mean height in tides.csv? Show me the data.');
        await page.keyboard.press('Enter');
        await page.locator('[data-kind=run-end]').waitFor({ timeout: 90_000 });
        const step = (id: keyof typeof STARTS) => page.locator('[data-call]', { hasText: STARTS[id] }).first();
        // Steps that are out of sight are not in the page.
        const open = async (id: keyof typeof STARTS, wheel: number): Promise<void> => {
          await page.locator('[data-call]').first().hover();
          // What closes just now may still take the first turn of the wheel.
          await expect
            .poll(async () => {
              await page.mouse.wheel(0, wheel);
              return step(id).count();
            })
            .toBeGreaterThan(0);
          const toggle = step(id).locator('.toggle');
          if ((await toggle.getAttribute('aria-expanded')) !== 'true') await toggle.click();
          await step(id).scrollIntoViewIfNeeded();
        };

        await open('load', -20_000);
        const grid = step('load').getByRole('table');
        await grid.waitFor();
        expect(await grid.locator('tbody tr').count()).toBe(48);
        await grid.getByRole('button', { name: 'height' }).click();
        await grid.getByRole('button', { name: 'height' }).click();
        expect(await grid.getByRole('columnheader', { name: 'height' }).getAttribute('aria-sort')).toBe('descending');
        expect(await grid.locator('tbody tr').first().locator('td').last().innerText()).toBe('4.99');
        await keepPicture(page, `notebook-table-${theme}`);

        await open('plot', 0);
        await expect.poll(() => step('plot').locator('img').count()).toBe(2);
        await step('plot').scrollIntoViewIfNeeded();
        await keepPicture(page, `notebook-figures-${theme}`);
        await step('plot').locator('.picture').first().click();
        await page.getByRole('dialog').locator('img').waitFor();
        await keepPicture(page, `notebook-figure-large-${theme}`);
        await page.keyboard.press('Escape');

        await open('wrong', 20_000);
        await step('wrong').getByText("KeyError: 'heigth'").first().waitFor();
        await open('right', 20_000);
        await step('right').getByText('3.04 m').first().waitFor();
        await step('right').scrollIntoViewIfNeeded();
        await keepPicture(page, `notebook-error-${theme}`);
        expect(readFileSync(path.join(app.workspace, 'mean.txt'), 'utf8')).toBe('3.04 m');

        writeFileSync(path.join(app.workspace, 'mean.txt'), 'something else');
        await step('right').getByRole('button', { name: 'Run again' }).click();
        await expect.poll(() => readFileSync(path.join(app.workspace, 'mean.txt'), 'utf8')).toBe('3.04 m');
        // The card of the new step moves the others while it grows.
        await expect.poll(() => step('right').getByRole('button', { name: 'Run again' }).count()).toBe(1);
        await step('right').getByRole('button', { name: 'Restart Python' }).click();
        await step('right').getByText('the variables are gone').waitFor();
        await step('right').getByRole('button', { name: 'Restart Python' }).click();
        await step('right').getByText('no variables to forget').waitFor();
        await keepPicture(page, `notebook-restart-${theme}`);
        const download = page.waitForEvent('download');
        await step('right').getByRole('link', { name: 'Save as file' }).click();
        const saved = await download;
        expect(saved.suggestedFilename()).toMatch(/^step-\d+\.py$/);
        expect(readFileSync(await saved.path(), 'utf8')).toBe(RIGHT);
      },
    );
  },
);
