import { describe, expect, it } from 'vitest';
import { readText } from '../../../../src-main/mcp/client/adding/read-text.ts';
import { isStdio } from '../../../../src-main/mcp/client/target.ts';

/** What was understood, in a line: the name, then the command line or the address. */
function understood(text: string): string[] {
  return readText(text).entries.map((entry) => {
    if ('problem' in entry) return `${entry.name}: ${entry.problem}`;
    const { config } = entry;
    return `${entry.name}: ${isStdio(config) ? [config.command, ...config.args].join(' ') : config.url}`;
  });
}

function firstConfig(text: string): unknown {
  const [entry] = readText(text).entries;
  return entry && 'config' in entry ? entry.config : entry;
}

const GIT = '{ "command": "uvx", "args": ["mcp-server-git"] }';

describe('servers from the JSON of a README', () => {
  it.each([
    ['Claude Desktop and most others', `{ "mcpServers": { "git": ${GIT} } }`],
    ['VS Code', `{ "servers": { "git": ${GIT} } }`],
    ['VS Code, in its settings', `{ "mcp": { "servers": { "git": ${GIT} } } }`],
    ['without the outer key', `{ "git": ${GIT} }`],
    ['without the outer braces', `"git": ${GIT},`],
    ['with the outer key and without the outer braces', `"mcpServers": { "git": ${GIT} }`],
    ['the server alone, named after its package', GIT],
    ['with a name inside, as "code --add-mcp" has it', GIT.replace('{', '{ "name": "git",')],
    ['with comments and trailing commas', `{ // mine\n "mcpServers": { "git": ${GIT}, /* more */ }, }`],
    ['in a code fence with words around', `Add this:\n\n\`\`\`jsonc\n{ "git": ${GIT} }\n\`\`\`\nand restart.`],
    ['opencode', '{ "mcp": { "git": { "type": "local", "command": ["uvx", "mcp-server-git"], "enabled": true } } }'],
  ])('%s', (_what, text) => {
    expect(understood(text)).toEqual(['git: uvx mcp-server-git']);
    expect(readText(text).problem).toBeUndefined();
  });

  it.each([
    ['url', '{ "a": { "url": "https://x.example/mcp" } }'],
    ['httpUrl (Gemini CLI)', '{ "a": { "httpUrl": "https://x.example/mcp" } }'],
    ['serverUrl (Windsurf)', '{ "a": { "serverUrl": "https://x.example/mcp" } }'],
    ['remote (opencode)', '{ "mcp": { "a": { "type": "remote", "url": "https://x.example/mcp" } } }'],
  ])('an address under %s', (_what, text) => {
    expect(understood(text)).toEqual(['a: https://x.example/mcp']);
  });

  it('takes ways to name an environment variable as ours', () => {
    const text =
      '{ "a": { "command": "x", "env": { "A": "${KEY}", "B": "{env:KEY}", "C": "$KEY", "D": "${env:KEY}" } } }';
    const ours = '${env:KEY}';
    expect(firstConfig(text)).toMatchObject({ env: { A: ours, B: ours, C: ours, D: ours } });
  });

  it('takes what its inputs ask for along', () => {
    const text = `{ "inputs": [{ "type": "promptString", "id": "k", "password": true }], "servers": { "git": ${GIT} } }`;
    expect(readText(text).inputs).toEqual([{ type: 'promptString', id: 'k', password: true }]);
  });

  it('leaves out what it does not understand, most of all what would grant trust, and says so', () => {
    const text = '{ "a": { "command": "x", "trust": true, "alwaysAllow": ["rm"], "disabled": true } }';
    expect(readText(text).entries).toEqual([
      {
        name: 'a',
        config: { command: 'x', args: [], env: {}, disabled: true },
        notes: ['Not taken over: trust, alwaysAllow.'],
      },
    ]);
  });

  it('says what is still to be filled in', () => {
    const text =
      '{ "a": { "command": "x", "env": { "KEY": "<your key>", "TOKEN": "YOUR_TOKEN_HERE", "MODE": "fast" } } }';
    expect(readText(text).entries[0]).toMatchObject({ notes: ['Still to be filled in: KEY, TOKEN.'] });
  });

  it('keeps the good ones of several, and says why the others are none', () => {
    expect(understood(`{ "mcpServers": { "bad": { "url": "ftp://x" }, "odd": 1, "git": ${GIT} } }`)).toEqual([
      'bad: Its address is not an http or https address, or its headers are not texts.',
      'odd: It must be an object.',
      'git: uvx mcp-server-git',
    ]);
  });

  it('says where text that is no JSON is wrong', () => {
    expect(readText('{\n  "a": { "command": }\n}').problem).toBe(
      'This is not valid JSON at line 2, column 21: value expected.',
    );
    expect(readText('{ "colour": "red" }').problem).toMatch(/map from server names/);
    expect(readText('{ "mcpServers": {} }').problem).toMatch(/no server/);
    expect(readText(' ').problem).toBeDefined();
  });
});

describe('servers from the line that adds them to another program', () => {
  it.each([
    ['claude mcp add git -- uvx mcp-server-git --repo "/my repo"', 'git: uvx mcp-server-git --repo /my repo'],
    ['$ claude mcp add -s user git uvx mcp-server-git', 'git: uvx mcp-server-git'],
    ['claude mcp add --transport http notes https://notes.example/mcp', 'notes: https://notes.example/mcp'],
    [
      'claude mcp add --scope user \\\n  --transport=http notes \\\n  https://notes.example/mcp',
      'notes: https://notes.example/mcp',
    ],
    [`claude mcp add-json git '${GIT}'`, 'git: uvx mcp-server-git'],
    [`claude mcp add-json -s user git '${GIT}'`, 'git: uvx mcp-server-git'],
    ['codex mcp add git -- uvx mcp-server-git', 'git: uvx mcp-server-git'],
    ['codex mcp add notes --url https://notes.example/mcp', 'notes: https://notes.example/mcp'],
    ['gemini mcp add git uvx mcp-server-git', 'git: uvx mcp-server-git'],
    [`code --add-mcp '{"name":"git","command":"uvx","args":["mcp-server-git"]}'`, 'git: uvx mcp-server-git'],
    [
      'npx -y @modelcontextprotocol/server-filesystem@1.2 /tmp',
      'filesystem: npx -y @modelcontextprotocol/server-filesystem@1.2 /tmp',
    ],
    ['env KEY=1 uvx mcp-server-git', 'git: uvx mcp-server-git'],
    ['https://mcp.linear.app/mcp', 'linear: https://mcp.linear.app/mcp'],
    ['C:\\tools\\my-server.exe --port 1', 'my: C:\\tools\\my-server.exe --port 1'],
    ['docker run -i --rm mcp/fetch', 'fetch: docker run -i --rm mcp/fetch'],
  ])('%s', (line, expected) => {
    expect(understood(line)).toEqual([expected]);
  });

  it('takes environment variables and headers along', () => {
    expect(firstConfig('claude mcp add x -e A=1 --env B=2 -- run')).toMatchObject({ env: { A: '1', B: '2' } });
    expect(firstConfig('claude mcp add --env A=1 B=2 -s user x -- run')).toMatchObject({
      command: 'run',
      env: { B: '2' },
    });
    expect(firstConfig('claude mcp add -t http x https://x.example -H "Authorization: Bearer abc"')).toMatchObject({
      headers: { Authorization: 'Bearer abc' },
    });
    expect(firstConfig('codex mcp add x --url https://x.example --bearer-token-env-var TOKEN')).toMatchObject({
      headers: { Authorization: 'Bearer ${env:TOKEN}' },
    });
    expect(firstConfig('A=1 npx x')).toMatchObject({ command: 'npx', env: { A: '1' } });
  });

  it('leaves the options behind the program to the program', () => {
    expect(understood('claude mcp add x npx -y pkg --header')).toEqual(['x: npx -y pkg --header']);
    expect(understood('claude mcp add x -- npx -y pkg -e A=1')).toEqual(['x: npx -y pkg -e A=1']);
  });

  it('takes several lines as several servers, and comments as nothing', () => {
    expect(understood('# both\nclaude mcp add a -- x\nclaude mcp add b -- y')).toEqual(['a: x', 'b: y']);
  });

  it('refuses what only a shell could do', () => {
    for (const line of ['curl https://x.example | sh', 'npx a && rm -rf b', 'npx $(cat x)', 'npx a > b']) {
      expect(readText(line).entries).toEqual([]);
      expect(readText(line).problem).toMatch(/for a shell/);
    }
    expect(readText('npx "unclosed').problem).toMatch(/quote/);
  });
});

describe('servers from install links', () => {
  const json = '{"command":"uvx","args":["mcp-server-git"]}';
  const base64 = Buffer.from(json).toString('base64');
  it.each([
    ['Causeway, JSON', `causeway://add-server?name=git&config=${encodeURIComponent(json)}`],
    ['Causeway, base64', `causeway://add-server?name=git&config=${base64}`],
    ['Cursor', `cursor://anysphere.cursor-deeplink/mcp/install?name=git&config=${encodeURIComponent(base64)}`],
    ['Cursor, over its web page', `https://cursor.com/en/install-mcp?name=git&config=${base64}`],
    ['VS Code', `vscode:mcp/install?${encodeURIComponent(`{"name":"git",${json.slice(1)}`)}`],
    [
      'VS Code, over its web page',
      `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${encodeURIComponent(`{"name":"git",${json.slice(1)}`)}`)}`,
    ],
  ])('%s', (_what, link) => {
    expect(understood(link)).toEqual(['git: uvx mcp-server-git']);
  });

  it('an address in ours', () => {
    expect(understood('causeway://add-server?url=https%3A%2F%2Fmcp.linear.app%2Fmcp')).toEqual([
      'linear: https://mcp.linear.app/mcp',
    ]);
  });

  it('says why a link adds nothing', () => {
    expect(readText('causeway://delete-everything').problem).toMatch(/adds a server/);
    expect(readText('causeway://add-server?name=x').problem).toMatch(/neither/);
    expect(readText('cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=%%%').problem).toMatch(/JSON/);
  });
});
