import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBackoff } from '../../../src-main/mcp/client/alive/backoff.ts';
import { createSleepDetector } from '../../../src-main/mcp/client/alive/clock-watch.ts';
import { limitsOf } from '../../../src-main/mcp/client/alive/server-limits.ts';
import { openToolMemory } from '../../../src-main/mcp/client/alive/tool-memory.ts';
import { prepareLaunch } from '../../../src-main/mcp/client/launch.ts';
import { managerFolders } from '../../../src-main/mcp/client/launching/program-folders.ts';
import { createMask, referencedSecrets, secretValues } from '../../../src-main/mcp/client/launching/secrets.ts';
import { forPlatform } from '../../../src-main/mcp/client/launching/windows-command.ts';
import { DEFAULT_LIMITS } from '../../../src-main/mcp/client/limits.ts';
import { shortenMessage } from '../../../src-main/mcp/client/traffic/shorten.ts';
import { serverConfig, stdioServer } from '../../../src-shared/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

function program(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  return file;
}

describe('starting again', () => {
  const options = { firstMs: 100, mostMs: 350, attempts: 4, calmMs: 1_000 };

  it('waits twice as long each time, up to a bound, and ends', () => {
    const backoff = createBackoff(options);
    expect([0, 0, 0, 0, 0].map((uptime) => backoff.next(uptime))).toEqual([100, 200, 350, 350, undefined]);
  });

  it('begins anew for what has lasted', () => {
    const backoff = createBackoff(options);
    [0, 0, 0].forEach((uptime) => backoff.next(uptime));
    expect(backoff.next(1_000)).toBe(100);
  });
});

describe('a machine that slept', () => {
  it('is told by clocks that went apart, or by a look that came far too late', () => {
    let [wall, monotonic] = [0, 0];
    const slept = createSleepDetector({ wall: () => wall, monotonic: () => monotonic });
    const pass = (wallMs: number, monotonicMs: number): boolean => {
      wall += wallMs;
      monotonic += monotonicMs;
      return slept();
    };
    expect(pass(5_000, 5_000)).toBe(false);
    expect(pass(3_600_000, 5_000)).toBe(true);
    expect(pass(6_000, 6_000)).toBe(false);
    expect(pass(3_600_000, 3_600_000)).toBe(true);
    expect(pass(-3_600_000, 5_000)).toBe(true);
  });
});

describe('the limits of a server', () => {
  const config = (limits: unknown) => serverConfig.parse({ command: 'x', limits });

  it('are the general ones where its entry says nothing', () => {
    expect(limitsOf(serverConfig.parse({ command: 'x' }), DEFAULT_LIMITS).limits).toBe(DEFAULT_LIMITS);
  });

  it('are those of the tool, else of the server', () => {
    const { limits, callOf } = limitsOf(
      config({ startSeconds: 90, totalSeconds: 20, tools: { long: { totalSeconds: 3600 } } }),
      DEFAULT_LIMITS,
    );
    expect(limits.connectMs).toBe(90_000);
    expect(callOf('any')).toMatchObject({ callIdleMs: 60_000, callTotalMs: 20_000 });
    expect(callOf('long')).toMatchObject({ callTotalMs: 3_600_000 });
    expect(callOf('toString')).toMatchObject({ callTotalMs: 20_000 });
  });

  it('are left as they are by what is no number of seconds', () => {
    const { limits, problem } = limitsOf(config({ idleSeconds: -1 }), DEFAULT_LIMITS);
    expect(limits).toBe(DEFAULT_LIMITS);
    expect(problem).toContain('idleSeconds');
  });
});

describe('remembered tools', () => {
  const config = serverConfig.parse({ command: 'x', env: { KEY: 'a' } });
  const tools = [{ name: 'a', description: 'Does a.', inputSchema: { type: 'object' } }];

  it('are those of this name and this entry', () => {
    const folder = temporaryFolder();
    openToolMemory(folder).remember('one', config, tools);
    expect(openToolMemory(folder).recall('one', config)).toEqual(tools);
    expect(openToolMemory(folder).recall('two', config)).toBeUndefined();
    expect(
      openToolMemory(folder).recall('one', serverConfig.parse({ command: 'x', env: { KEY: 'b' } })),
    ).toBeUndefined();
  });
});

describe('finding a program', () => {
  it('looks in the folders of version managers, newest version first, after PATH', async () => {
    const home = temporaryFolder();
    const nvm = (version: string): string => path.join(home, '.nvm/versions/node', version, 'bin');
    program(nvm('v8.9.1'), 'npx');
    const newest = program(nvm('v22.1.0'), 'npx');
    const uvx = program(path.join(home, '.local/bin'), 'uvx');
    const otherFolders = managerFolders(home, {});
    const launch = (command: string) =>
      prepareLaunch(stdioServer.parse({ command }), { env: {}, searchPath: '/nowhere', otherFolders });
    const npx = await launch('npx');
    expect(npx.file).toBe(newest);
    // `node` stands beside it.
    expect(npx.env['PATH']?.split(path.delimiter)[0]).toBe(nvm('v22.1.0'));
    expect((await launch('uvx')).file).toBe(uvx);
  });

  it('takes the one in PATH where there is one', async () => {
    const [first, other] = [temporaryFolder(), temporaryFolder()];
    const file = program(first, 'npx');
    program(other, 'npx');
    const options = { env: {}, searchPath: first, otherFolders: [other] };
    expect((await prepareLaunch(stdioServer.parse({ command: 'npx' }), options)).file).toBe(file);
  });
});

describe('references in an entry', () => {
  it('are replaced by inputs and places, and an input that was not given is named', async () => {
    const folder = temporaryFolder();
    program(folder, 'server');
    const config = stdioServer.parse({
      command: 'server',
      args: ['${workspaceFolder}/a'],
      env: { KEY: '${input:key}' },
    });
    const options = { env: {}, searchPath: folder, workspace: '/work/space' };
    const launch = await prepareLaunch(config, { ...options, input: () => 'given' });
    expect(launch).toMatchObject({
      args: ['/work/space/a'],
      env: { KEY: 'given' },
      secrets: ['given', 'given', 'given'],
    });
    await expect(prepareLaunch(config, options)).rejects.toThrow(/value of "key"/);
  });
});

describe('scripts on Windows', () => {
  const windows = { platform: 'win32', shell: 'cmd.exe' } as const;

  it('run in cmd.exe with every argument whole', () => {
    const { file, args, verbatim } = forPlatform('C:\\node\\npx.cmd', ['-y', 'a & b', 'say "hi"'], windows);
    expect({ file, verbatim }).toEqual({ file: 'cmd.exe', verbatim: true });
    expect(args.slice(0, 3)).toEqual(['/d', '/s', '/c']);
    expect(args[3]).toBe('"C:\\node\\npx.cmd ^^^"-y^^^" ^^^"a^^^ ^^^&^^^ b^^^" ^^^"say^^^ \\^^^"hi\\^^^"^^^""');
  });

  it('are programs like others elsewhere', () => {
    expect(forPlatform('/bin/npx.cmd', ['a b'], { platform: 'linux' })).toEqual({
      file: '/bin/npx.cmd',
      args: ['a b'],
      verbatim: false,
    });
    expect(forPlatform('C:\\node.exe', ['a b'], windows)).toMatchObject({ file: 'C:\\node.exe', verbatim: false });
  });
});

describe('what an entry refers to', () => {
  it('is secret where it is an input, or a variable with the name of a secret', () => {
    const config = serverConfig.parse({
      url: 'https://a.b/?k=${env:MY_TOKEN}&p=${env:PLACE}',
      headers: { X: '${input:x}' },
    });
    const env = { MY_TOKEN: 'token-value', PLACE: 'place-value' };
    expect(referencedSecrets(config, { env, input: () => 'input-value' })).toEqual(['input-value', 'token-value']);
  });
});

describe('a mask', () => {
  it('takes out what is secret by its name, also without its scheme, the longest first', () => {
    const mask = createMask(
      secretValues({ Authorization: 'Bearer abcdef123', PLAIN: 'visible-value', API_KEY: 'abcdef' }),
    );
    expect(mask('got abcdef123 and abcdef, visible-value, Bearer abcdef123')).toBe(
      'got *** and ***, visible-value, ***',
    );
  });
});

describe('a message for people', () => {
  const keep = (text: string): string => text;

  it('is the message where it is short', () => {
    expect(shortenMessage({ jsonrpc: '2.0', id: 1, result: { a: [1, null, 'x'] } }, keep)).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{"a":[1,null,"x"]}}',
    );
  });

  it('is cut where a text, a list or the nesting is long', () => {
    expect(shortenMessage({ text: 'x'.repeat(1_000_000) }, keep).length).toBeLessThan(5_000);
    expect(
      shortenMessage(
        Array.from({ length: 100_000 }, () => ({ a: 'b' })),
        keep,
      ).length,
    ).toBeLessThan(30_000);
    let deep: unknown = 'end';
    for (let depth = 0; depth < 5_000; depth += 1) deep = [deep];
    expect(shortenMessage(deep, keep)).toContain('...');
  });

  it('has its secrets masked before it is cut', () => {
    const secret = 's3cret-s3cret';
    const text = `${'x'.repeat(3_995)}${secret}`;
    expect(shortenMessage({ text }, createMask([secret]))).not.toContain('s3cret');
  });
});
