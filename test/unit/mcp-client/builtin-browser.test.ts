import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInBrowser, type BrowserParts } from '../../../src-main/mcp/client/builtin-browser.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

function parts({ uvx = false, ...more }: Partial<BrowserParts> & { uvx?: boolean } = {}): BrowserParts {
  const bin = temporaryFolder();
  if (uvx) {
    writeFileSync(path.join(bin, 'uvx'), '#!/bin/sh\n');
    chmodSync(path.join(bin, 'uvx'), 0o755);
  }
  const { env, ...rest } = more;
  return {
    home: temporaryFolder(),
    chromium: undefined,
    nodePath: '/opt/node',
    outputFolder: '/data/browser',
    ...rest,
    env: { PATH: bin, ...env },
  };
}

describe('the browser that comes with Causeway', () => {
  it('is browser-use by uvx, its tools under their own names, with the variables that are set', () => {
    const env = { BROWSER_USE_API_KEY: 'k', BU_CDP_URL: 'http://127.0.0.1:9222', OPENAI_API_KEY: 'not its' };
    expect(builtInBrowser(parts({ uvx: true, env }))).toEqual([
      {
        name: 'browser',
        config: {
          command: 'uvx',
          args: ['browser-use', '--cli-mcp'],
          env: { BROWSER_USE_API_KEY: '${env:BROWSER_USE_API_KEY}', BU_CDP_URL: '${env:BU_CDP_URL}' },
          disabled: false,
          toolPrefix: false,
        },
      },
    ]);
  });

  it('is Playwright MCP with the installed browser where uv is missing, and says so', () => {
    const [entry] = builtInBrowser(parts({ chromium: '/usr/bin/chromium' }));
    expect(entry).toMatchObject({
      config: { command: '/opt/node', disabled: false },
      note: expect.stringContaining('uv is not installed') as string,
    });
    expect(JSON.stringify(entry)).toContain('--executable-path=/usr/bin/chromium');
  });

  it('is switched off, with what is missing, where there is neither', () => {
    expect(builtInBrowser(parts())).toMatchObject([
      { config: { command: 'uvx', disabled: true }, note: expect.stringContaining('Neither uv') as string },
    ]);
  });

  it.each(['CAUSEWAY_DISABLE_BROWSER_USE', 'OPENMANUS_DISABLE_BROWSER_USE'])('is not there with %s=1', (name) => {
    expect(builtInBrowser(parts({ uvx: true, env: { [name]: '1' } }))).toEqual([]);
    expect(builtInBrowser(parts({ uvx: true, env: { [name]: '0' } }))).toHaveLength(1);
  });
});
