import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { placesOf, type Surroundings } from '../../../src-main/mcp/client/importing/places.ts';
import { readPlace } from '../../../src-main/mcp/client/importing/read-place.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

function filesOf(key: string, surroundings: Partial<Surroundings>): string[] {
  return placesOf({ platform: 'linux', home: '/home/me', env: {}, workspace: '/work', ...surroundings })
    .filter((place) => place.key === key)
    .map(({ file }) => file);
}

/** What stands in a settings file, as a program of that name would keep it here. */
async function read(key: string, text: string, name?: string): Promise<unknown> {
  const home = temporaryFolder();
  const places = placesOf({ platform: 'linux', home, env: {}, workspace: path.join(home, 'work') });
  const place = places.find((item) => item.key === key && (name === undefined || item.file.endsWith(name)));
  if (!place) throw new Error(`no place ${key}`);
  mkdirSync(path.dirname(place.file), { recursive: true });
  writeFileSync(place.file, text);
  const found = await readPlace(place);
  expect(readFileSync(place.file, 'utf8')).toBe(text);
  return found && (found.problem ?? found.entries);
}

describe('where other programs keep their servers', () => {
  it('on Linux', () => {
    expect(filesOf('claude-desktop', {})).toEqual(['/home/me/.config/Claude/claude_desktop_config.json']);
    expect(filesOf('vscode', {})).toContain('/home/me/.config/Code/User/mcp.json');
    expect(filesOf('goose', { env: { XDG_CONFIG_HOME: '/cfg' } })).toEqual(['/cfg/goose/config.yaml']);
    expect(filesOf('claude-code', {})).toEqual(['/home/me/.claude.json', '/work/.mcp.json']);
  });

  it('on macOS', () => {
    const mac = { platform: 'darwin' as const, home: '/Users/me' };
    expect(filesOf('claude-desktop', mac)).toEqual([
      '/Users/me/Library/Application Support/Claude/claude_desktop_config.json',
    ]);
    expect(filesOf('cline', mac)[0]).toBe(
      '/Users/me/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    );
    expect(filesOf('opencode', mac)).toContain('/Users/me/.config/opencode/opencode.json');
  });

  it('on Windows', () => {
    const windows = {
      platform: 'win32' as const,
      home: 'C:\\Users\\me',
      env: { APPDATA: 'D:\\Roaming' },
      workspace: 'C:\\w',
    };
    expect(filesOf('claude-desktop', windows)).toEqual(['D:\\Roaming\\Claude\\claude_desktop_config.json']);
    expect(filesOf('goose', windows)).toEqual(['D:\\Roaming\\Block\\goose\\config\\config.yaml']);
    expect(filesOf('windsurf', windows)).toEqual(['C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json']);
    expect(filesOf('codex', windows)).toEqual(['C:\\Users\\me\\.codex\\config.toml']);
  });
});

describe('what other programs have', () => {
  it('Codex (TOML)', async () => {
    const text = `
model = "x"
[mcp_servers.git]
command = "uvx"
args = ["mcp-server-git"]
env_vars = ["HOME_KEY"]
startup_timeout_sec = 20
[mcp_servers.git.env]
A = "1"
[mcp_servers.notes]
url = "https://notes.example/mcp"
bearer_token_env_var = "NOTES_TOKEN"
enabled = false
`;
    expect(await read('codex', text)).toEqual([
      {
        name: 'git',
        config: {
          command: 'uvx',
          args: ['mcp-server-git'],
          env: { A: '1', HOME_KEY: '${env:HOME_KEY}' },
          disabled: false,
        },
        notes: ['Not taken over: startup_timeout_sec.'],
      },
      {
        name: 'notes',
        config: {
          url: 'https://notes.example/mcp',
          headers: { Authorization: 'Bearer ${env:NOTES_TOKEN}' },
          disabled: true,
        },
        notes: [],
      },
    ]);
  });

  it('goose (YAML), whose own parts are no servers', async () => {
    const text = `
GOOSE_PROVIDER: x
extensions:
  developer:
    type: builtin
    enabled: true
  github:
    type: stdio
    cmd: npx
    args: [-y, github-mcp]
    envs: { A: "1" }
    env_keys: [GITHUB_TOKEN]
    enabled: false
  remote:
    type: streamable_http
    uri: https://remote.example/mcp
`;
    expect(await read('goose', text)).toEqual([
      { name: 'developer', problem: 'It is a part of the other program, not a server.' },
      {
        name: 'github',
        config: { command: 'npx', args: ['-y', 'github-mcp'], env: { A: '1', GITHUB_TOKEN: '' }, disabled: true },
        notes: ['The other program keeps these to itself: GITHUB_TOKEN.', 'Still to be filled in: GITHUB_TOKEN.'],
      },
      { name: 'remote', config: { url: 'https://remote.example/mcp', headers: {}, disabled: false }, notes: [] },
    ]);
  });

  it('Claude Code, those of a folder among them, which start there', async () => {
    const text = JSON.stringify({
      numStartups: 3,
      mcpServers: { all: { type: 'stdio', command: 'a', env: {} } },
      projects: { '/src/x': { mcpServers: { one: { command: 'b' } }, history: [] }, '/src/y': { mcpServers: {} } },
    });
    expect(await read('claude-code', text)).toMatchObject([
      { name: 'all', config: { command: 'a' } },
      { name: 'one', config: { command: 'b', cwd: '/src/x' }, notes: ['It belongs to the folder /src/x.'] },
    ]);
  });

  it('VS Code, with comments, and what its inputs ask for', async () => {
    const text = '{ // mine\n "inputs": [], "servers": { "a": { "type": "http", "url": "https://a.example" }, } }';
    expect(await read('vscode', text)).toMatchObject([{ name: 'a', config: { url: 'https://a.example' } }]);
  });

  it('Gemini CLI and opencode', async () => {
    const gemini = {
      theme: 'x',
      mcp: { allowed: ['a'] },
      mcpServers: { a: { httpUrl: 'https://a.example', trust: true } },
    };
    expect(await read('gemini', JSON.stringify(gemini))).toMatchObject([
      { name: 'a', config: { url: 'https://a.example' }, notes: ['Not taken over: trust.'] },
    ]);
    const opencode = { mcp: { a: { type: 'local', command: ['bun', 'x', 'a'], environment: { K: '{env:K}' } } } };
    expect(await read('opencode', JSON.stringify(opencode))).toMatchObject([
      { name: 'a', config: { command: 'bun', args: ['x', 'a'], env: { K: '${env:K}' } } },
    ]);
  });

  it('settings without servers are not mentioned; broken ones are said', async () => {
    expect(
      await read('vscode', '{ "editor.fontSize": 12, "extensions.autoUpdate": false }', 'settings.json'),
    ).toBeUndefined();
    expect(await read('gemini', '{ "mcpServers": {} }')).toBeUndefined();
    expect(await read('cursor', '{\n "mcpServers": {{ }')).toMatch(/broken: .* at line 2/);
    expect(await read('codex', '[mcp_servers.x\n')).toMatch(/broken/);
    expect(await read('goose', 'a: [')).toMatch(/broken/);
  });
});
