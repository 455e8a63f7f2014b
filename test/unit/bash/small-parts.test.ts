import { describe, expect, test } from 'vitest';
import { createCallQueue } from '../../../src-main/tools/bash/call-queue.ts';
import { joinSearchPaths, ownSearchPath, shellEnvironment } from '../../../src-main/tools/bash/environment.ts';
import { looksLikePrompt } from '../../../src-main/tools/bash/input-watch.ts';
import { readPath } from '../../../src-main/tools/bash/login-path.ts';
import { renderOutput } from '../../../src-main/tools/bash/render.ts';
import { commandFile, triggerLine } from '../../../src-main/tools/bash/shell-script.ts';
import { withoutSyncNoise, withoutTriggerNoise } from '../../../src-main/tools/bash/trigger-noise.ts';
import { headOf, tailOf } from '../../../src-main/tools/head-tail.ts';

describe('the environment of the shell', () => {
  test('keeps what the person has and quiets pagers and editors', () => {
    const env = shellEnvironment({ MINE: '1', EDITOR: 'vim', LANG: 'pl_PL.UTF-8', COLUMNS: '80' }, '/bin');
    expect(env).toMatchObject({ MINE: '1', EDITOR: 'true', PAGER: 'cat', LANG: 'pl_PL.UTF-8', PATH: '/bin' });
    expect(env).not.toHaveProperty('COLUMNS');
  });

  test('has UTF-8 where no locale is set', () => {
    expect(shellEnvironment({}, '/bin')).toMatchObject({ LANG: 'C.UTF-8' });
  });

  test('leaves out the folders that npm put in front, and only those', () => {
    const path = '/app/node_modules/.bin:/node_modules/.bin:/lib/node-gyp-bin:/usr/bin:/mine/node_modules/.bin';
    expect(ownSearchPath({ PATH: path, npm_lifecycle_event: 'start' })).toBe('/usr/bin:/mine/node_modules/.bin');
    expect(ownSearchPath({ PATH: path })).toBe(path);
  });

  test('joins search paths, each folder once', () => {
    expect(joinSearchPaths('/a:/b', '/b:/c:')).toBe('/a:/b:/c');
  });
});

describe('the login shell', () => {
  test('is understood whatever its startup files print', () => {
    expect(readPath('Welcome\r\nPATH=/wrong\r\nN\r\nHOME=/\r\nPATH=/a:/b c\r\nX=1\r\nN\r\nbye', 'N')).toBe('/a:/b c');
  });

  test('without a whole answer gives nothing', () => {
    expect(readPath('N\nPATH=/a', 'N')).toBeUndefined();
    expect(readPath('nothing', 'N')).toBeUndefined();
  });
});

describe('a last line that looks like a question', () => {
  test.each(['Password: ', 'Continue? ', '>>> ', 'user@host:~$ ', 'Overwrite (y/n)', '[Y/n]'])('%s', (line) => {
    expect(looksLikePrompt(Buffer.from(`before\n${line}`))).toBe(true);
  });

  test.each(['working', 'done\n', 'Password:\n', ''])('not %j', (line) => {
    expect(looksLikePrompt(Buffer.from(line))).toBe(false);
  });
});

describe('script lines', () => {
  test('quote the name of the file', () => {
    expect(triggerLine(3, "/a b/it's", '5ec')).toContain(`\\. '/a b/it'\\''s';`);
  });

  test("put the command on the file's first line", () => {
    expect(commandFile(3, 'a\nb').split('\n')[0]).toMatch(/; a$/);
  });
});

describe('around a trigger line', () => {
  test('echo and traces of it are taken out; what background jobs wrote stays', () => {
    const noise = '{ __causeway_start 3; }\r\n++ . /run/shell-x/command\n+ :\nfrom a job\n+ a trace of its own\n\xff\n';
    const left = withoutTriggerNoise(Buffer.from(noise, 'latin1'), 'shell-x');
    expect(Buffer.from(left).toString('latin1')).toBe('from a job\n+ a trace of its own\n\xff\n');
  });

  test('the unfinished line of a background job before an echo stays', () => {
    const echo = triggerLine(3, '/run/shell-x/command', '5ec');
    expect(Buffer.from(withoutTriggerNoise(Buffer.from(`50 %${echo}`), 'shell-x')).toString()).toBe('50 %');
  });

  test('after Ctrl-C also what bash says about the rest of a line', () => {
    const noise = '\nbash: syntax error near unexpected token\nfrom a job\n';
    expect(Buffer.from(withoutSyncNoise(Buffer.from(noise), 'shell-x')).toString()).toBe('from a job\n');
  });
});

test('head and tail never hold half a character', () => {
  expect(headOf('漢字漢', 4)).toBe('漢');
  expect(tailOf('漢字漢', 4)).toBe('漢');
  expect(headOf('abc', 10)).toBe('abc');
  expect(tailOf('abc', 0)).toBe('');
});

describe('renderOutput', () => {
  test('leaves plain text as it is', async () => {
    expect(await renderOutput(Buffer.from('\ufeffa\tb \n\n漢\n'))).toBe('\ufeffa\tb \n\n漢\n');
  });

  test('strips what would be too many lines for the emulator', async () => {
    const lines = Array.from({ length: 30_000 }, () => '\u001b[31mx\u001b[0m').join('\n');
    expect(await renderOutput(Buffer.from(lines))).toBe(Array.from({ length: 30_000 }, () => 'x').join('\n'));
  });
});

describe('createCallQueue', () => {
  test('waits for the cleaning of one call before the next, but not before its answer', async () => {
    const queue = createCallQueue();
    const { signal } = new AbortController();
    const order: string[] = [];
    const cleaning = Promise.withResolvers<undefined>();
    const first = queue.run(signal, (after) => {
      after(cleaning.promise.then(() => order.push('cleaned')));
      return Promise.resolve('answer');
    });
    const second = queue.run(signal, () => Promise.resolve(order.push('second')));
    expect(await first).toBe('answer');
    expect(order).toEqual([]);
    cleaning.resolve(undefined);
    await second;
    expect(order).toEqual(['cleaned', 'second']);
  });

  test('goes on after a call that failed', async () => {
    const queue = createCallQueue();
    const { signal } = new AbortController();
    await expect(queue.run(signal, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue.run(signal, () => Promise.resolve(1))).toBe(1);
  });
});
