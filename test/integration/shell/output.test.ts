import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openShellBench, textOf, type ShellBench, type ShellBenchOptions } from '../../fixtures/shell.ts';
import { waitFor } from '../../fixtures/wait.ts';

/** Results of at most 2,000 bytes. */
function openNarrow(): Promise<ShellBench> {
  const settings: ShellBenchOptions['settings'] = (defaults) => ({ ...defaults, output: { capBytes: 2000 } });
  return openShellBench({ settings });
}

describe('long output', () => {
  test('keeps head and tail, says what was left out, and keeps the whole under a handle', async () => {
    const { call, read } = await openNarrow();
    const result = await call({ command: 'seq 1 5000' });
    const text = textOf(result);
    expect(text).toMatch(/^1\n2\n3\n/);
    expect(text).toMatch(/\n4999\n5000$/);
    const handle = result.truncation?.handle ?? '';
    expect(text).toMatch(
      new RegExp(`\\n\\[… \\d+ bytes left out; read them with read_output, handle ${handle} …\\]\\n`),
    );
    expect(Buffer.byteLength(text)).toBeLessThan(2200);
    const whole = Array.from({ length: 5000 }, (_, index) => `${index + 1}\n`).join('');
    expect(read(handle).text).toBe(whole);
    expect(result.truncation).toMatchObject({ totalBytes: whole.length });
  });

  test('200 KB on one line are cut and kept whole', async () => {
    const { call, read } = await openNarrow();
    const result = await call({ command: "head -c 200000 /dev/zero | tr '\\0' x" });
    expect(textOf(result)).toMatch(/^x{1000,}\n\[…/);
    expect(read(result.truncation?.handle ?? '').text).toBe('x'.repeat(200_000));
  });

  test('never splits a character at the cut', async () => {
    const { call } = await openNarrow();
    const text = textOf(await call({ command: "yes '漢字' | head -3000 | tr -d '\\n'" }));
    expect(text).not.toContain('\uFFFD');
    expect(text).toMatch(/^[漢字]+\n\[…[^\n]*\n[漢字]+$/);
  });

  test('50 MB are drained to the last byte while memory stays flat', async () => {
    const { call, read } = await openShellBench();
    await call({ command: 'true' });
    const before = process.memoryUsage();
    let peak = 0;
    const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
    const result = await call({ command: "head -c 50000000 /dev/zero | tr '\\0' x | fold -w 99; echo; echo end" });
    clearInterval(timer);
    expect(textOf(result).slice(-4)).toBe('\nend');
    const totalBytes = 50_000_000 + Math.ceil(50_000_000 / 99) - 1 + 1 + 4;
    expect(result.truncation?.totalBytes).toBe(totalBytes);
    expect(read(result.truncation?.handle ?? '', totalBytes - 4).text).toBe('end\n');
    expect(peak - before.rss).toBeLessThan(150_000_000);
    expect(process.memoryUsage().arrayBuffers - before.arrayBuffers).toBeLessThan(50_000_000);
  });

  test('the next command gets none of it', async () => {
    const { call, run } = await openNarrow();
    await call({ command: 'seq 1 100000' });
    expect(await run('echo mine')).toBe('mine');
  });
});

describe('what a person would see', () => {
  test.each([
    ['a progress bar', String.raw`for i in 10 50 100; do printf '\r%3d%%' $i; done; echo`, '100%'],
    ['a line written over by a shorter one', String.raw`printf 'longer\rab\n'`, 'abnger'],
    ['a line that is erased', String.raw`printf 'gone\r\033[Kstays\n'`, 'stays'],
    ['cursor moves', String.raw`printf 'one\ntwo\n\033[2A\033[3CX\n\n'`, 'oneX\ntwo'],
    ['colours', String.raw`printf '\033[1;31mred\033[0m plain\n'`, 'red plain'],
    ['backspaces', String.raw`printf 'abx\bc\n'`, 'abc'],
    ['a title', String.raw`printf '\033]0;title\007text\n'`, 'text'],
    [
      'the other screen, left again',
      String.raw`printf 'before\n\033[?1049hfull screen\033[?1049lafter\n'`,
      'before\nafter',
    ],
    ['CRLF', String.raw`printf 'a\r\nb\r\n'`, 'a\nb'],
    ['NUL bytes', String.raw`printf 'a\0b\n'`, 'ab'],
    ['no line break at the end', 'printf abc', 'abc'],
    ['empty lines', String.raw`printf '\n\na\n\n'`, '\n\na\n'],
    ['spaces at both ends', "echo '  a  '", '  a  '],
  ])('%s', async (_name, command, seen) => {
    const { run } = await openShellBench();
    expect(await run(command)).toBe(seen);
  });

  test('a coloured line longer than the terminal is one line', async () => {
    const { run } = await openShellBench();
    expect(await run(String.raw`printf '\033[31m'; head -c 1000 /dev/zero | tr '\0' y; printf '\033[0m\n'`)).toBe(
      'y'.repeat(1000),
    );
  });

  test('5 MB of a progress bar are one line', async () => {
    const { run } = await openShellBench();
    const text = await run(String.raw`seq 1 500000 | sed 's/^/\x0d /' | tr -d '\n'; echo; echo done`);
    expect(text).toMatch(/ 500000\ndone$/);
    expect(text.length).toBeLessThan(500);
  });
});

describe('the raw stream', () => {
  test.each([
    ['colours', String.raw`printf '\033[31mred\033[0m\n'`, '\x1b[31mred\x1b[0m\n', 'red'],
    ['a progress bar', String.raw`printf '\r10%%\r99%%\n'`, '\r10%\r99%\n', '99%'],
    ['invalid UTF-8', String.raw`printf 'a\xff\n'`, 'a\uFFFD\n', 'a\uFFFD'],
  ])('of %s is kept under a handle beside what a person would see', async (_name, command, raw, seen) => {
    const { call, read } = await openShellBench();
    const result = await call({ command });
    expect(textOf(result)).toBe(seen);
    expect(result.truncation).toBeUndefined();
    expect(read(String(result.structuredContent?.['handle'])).text).toBe(raw);
  });

  test('is the text itself where nothing was taken out: nothing more is kept', async () => {
    const { call } = await openShellBench();
    expect((await call({ command: 'echo plain' })).structuredContent).not.toHaveProperty('handle');
  });
});

describe('bytes', () => {
  test('invalid UTF-8 becomes U+FFFD and loses nothing around it', async () => {
    const { run } = await openShellBench();
    expect(await run(String.raw`printf 'a\xff\xfeb\xc3(\n'`)).toBe('a\uFFFD\uFFFDb\uFFFD(');
  });

  test('characters that arrive in pieces are whole, also live', async () => {
    const { run, live } = await openShellBench();
    const split = String.raw`printf '\xe6\xbc'; sleep 0.05; printf '\xa2\xf0\x9f'; sleep 0.05; printf '\x8e\x89\n'`;
    expect(await run(split)).toBe('漢🎉');
    expect(live()).toBe('漢🎉\n');
  });

  test('live output comes before the end, and without marks', async () => {
    const { call, live, workspace } = await openShellBench();
    const running = call({ command: 'echo early; until [ -e go ]; do sleep 0.01; done; echo late' });
    await waitFor(() => live().includes('early\n'));
    writeFileSync(`${workspace}/go`, '');
    await running;
    expect(live()).toBe('early\nlate\n');
  });

  test('what an interrupted multibyte character leaves does not spoil the next command', async () => {
    const { run } = await openShellBench();
    expect(await run(String.raw`printf '\xe6\xbc'`)).toBe('\uFFFD');
    expect(await run('echo next')).toBe('next');
  });

  test('an unfinished escape sequence at the end does not spoil the next command', async () => {
    const { run, call } = await openShellBench();
    const result = await call({ command: String.raw`printf 'a\033'; printf '\033]633;'` });
    expect(result.structuredContent).toMatchObject({ exitCode: 0 });
    expect(await run('echo next')).toBe('next');
  });
});
