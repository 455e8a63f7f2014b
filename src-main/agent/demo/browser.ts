import { createRequire } from 'node:module';
import path from 'node:path';
import { CausewayError, describeError, type ServerConfig } from '../../../src-shared/index.ts';
import type { Servers } from '../../mcp/client/index.ts';
import { findChromium } from './chromium.ts';
import type { Material } from './script.ts';

/** The attached browser: its tools' names, or why there is none. Disposing detaches it. */
export interface DemoBrowser extends AsyncDisposable {
  readonly browser: Material['browser'];
}

export interface BrowserParts {
  servers: Servers;
  /** A Node program that can run plain scripts. */
  nodePath: string;
  /** A folder for what the server writes beside its answers. */
  outputFolder: string;
  env: NodeJS.ProcessEnv;
}

/** Attaches `@playwright/mcp` with an installed Chromium for this process only. Never rejects: no browser is a fact to be told. */
export async function attachBrowser({ servers, nodePath, outputFolder, env }: BrowserParts): Promise<DemoBrowser> {
  const chromium = findChromium(env);
  if (!chromium) return without('no Chromium or Chrome was found on this computer');
  const taken = new Set(servers.list().map(({ name }) => name));
  const name = ['browser', 'demo_browser', 'demo_browser_2'].find((candidate) => !taken.has(candidate));
  if (!name) return without('another demo is using the browser');
  try {
    const view = await servers.attach(name, playwrightServer({ nodePath, chromium, outputFolder }));
    const [navigate, screenshot] = ['browser_navigate', 'browser_take_screenshot'].map(
      (original) => view.tools.find(({ originalName }) => originalName === original)?.name,
    );
    if (view.state !== 'ready' || !navigate || !screenshot) {
      throw new CausewayError('unavailable', view.message ?? 'The browser server did not start.');
    }
    return { browser: { navigate, screenshot }, [Symbol.asyncDispose]: () => detach(servers, name) };
  } catch (error) {
    await detach(servers, name);
    return without(`the browser server could not be used (${describeError(error)})`);
  }
}

function playwrightServer(parts: { nodePath: string; chromium: string; outputFolder: string }): ServerConfig {
  const manifest = createRequire(import.meta.url).resolve('@playwright/mcp/package.json');
  // Chromium's own sandbox refuses to start for root.
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  return {
    command: parts.nodePath,
    args: [
      path.join(path.dirname(manifest), 'cli.js'),
      '--headless',
      '--isolated',
      '--executable-path',
      parts.chromium,
      '--viewport-size',
      '1200x840',
      '--output-dir',
      parts.outputFolder,
      ...(isRoot ? ['--no-sandbox'] : []),
    ],
    env: {},
    disabled: false,
  };
}

async function detach(servers: Servers, name: string): Promise<void> {
  if (servers.list().some((server) => server.name === name)) await servers.remove(name);
}

function without(missing: string): DemoBrowser {
  return { browser: { missing }, [Symbol.asyncDispose]: () => Promise.resolve() };
}
