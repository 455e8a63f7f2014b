import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ConfigEntry } from './config/parse-config.ts';

/** The name of the browser among the servers, whichever program it is. */
const NAME = 'browser';
/** What browser-use reads: its key, and which browser it is to use. */
const VARIABLES = [
  'BROWSER_USE_API_KEY',
  'BROWSER_USE_CLOUD_API_URL',
  'BU_BROWSER_ID',
  'BU_CDP_URL',
  'BU_CDP_WS',
  'BU_NAME',
];
const SWITCHES = ['CAUSEWAY_DISABLE_BROWSER_USE', 'OPENMANUS_DISABLE_BROWSER_USE'];

export interface BrowserParts {
  env: NodeJS.ProcessEnv;
  /** The person's home folder. */
  home: string;
  /** An installed Chromium, Chrome or Edge. */
  chromium: string | undefined;
  /** A Node program, to run Playwright MCP with. */
  nodePath: string;
  /** Where Playwright MCP may put files. */
  outputFolder: string;
}

/**
 * The browser that comes with Causeway: browser-use by uvx, its tools under their own names; where uv is missing, Playwright MCP
 * with the installed Chromium; without either, browser-use switched off, with what is missing. Nothing is started here.
 */
export function builtInBrowser(parts: BrowserParts): ConfigEntry[] {
  const { env, chromium } = parts;
  if (SWITCHES.some((name) => env[name] === '1')) return [];
  const uvx = findUvx(env, parts.home);
  if (uvx !== undefined) return [browserUse(uvx, env)];
  if (chromium !== undefined) return [playwright(chromium, parts)];
  return [
    {
      ...browserUse('uvx', {}, true),
      note: 'Neither uv (for browser-use) nor a Chromium (for Playwright MCP) was found. Install one of them and start Causeway again: https://docs.astral.sh/uv/',
    },
  ];
}

function browserUse(command: string, env: NodeJS.ProcessEnv, disabled = false): ConfigEntry {
  const set = VARIABLES.filter((name) => env[name]);
  return {
    name: NAME,
    config: {
      command,
      args: ['browser-use', '--cli-mcp'],
      // By reference, so that no key stands in a view or a file.
      env: Object.fromEntries(set.map((name) => [name, `\${env:${name}}`])),
      disabled,
      toolPrefix: false,
    },
  };
}

function playwright(chromium: string, { nodePath, outputFolder }: BrowserParts): ConfigEntry {
  const manifest = createRequire(import.meta.url).resolve('@playwright/mcp/package.json');
  const args = [
    path.join(path.dirname(manifest), 'cli.js'),
    '--isolated',
    `--executable-path=${chromium}`,
    `--output-dir=${outputFolder}`,
  ];
  // Chromium's own sandbox does not start for root, as in most containers; without a screen it needs none.
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'])
    args.push('--headless');
  return {
    name: NAME,
    config: { command: nodePath, args, env: {}, disabled: false },
    note: 'uv is not installed, so this is Playwright MCP with the installed browser instead of browser-use.',
  };
}

/** `uvx` where PATH finds it, else its file where uv and the package managers put it. */
function findUvx(env: NodeJS.ProcessEnv, home: string): string | undefined {
  const name = process.platform === 'win32' ? 'uvx.exe' : 'uvx';
  const onPath = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  if (onPath.some((folder) => isProgram(path.join(folder, name)))) return 'uvx';
  const usual = [path.join(home, '.local', 'bin'), path.join(home, '.cargo', 'bin')];
  if (process.platform === 'darwin') usual.push('/opt/homebrew/bin', '/usr/local/bin');
  return usual.map((folder) => path.join(folder, name)).find((file) => isProgram(file));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
