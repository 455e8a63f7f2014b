import { expect, onTestFinished, test } from 'vitest';
import type { TerminalChunk } from '../../../src-shared/index.ts';
import { createWindowTerminals, type WindowTerminals } from '../../../src-main/rpc/terminals.ts';
import { openShellBench, type ShellBench } from '../../fixtures/shell.ts';
import { waitFor } from '../../fixtures/wait.ts';

async function openWindow(): Promise<ShellBench & { terminals: WindowTerminals }> {
  const bench = await openShellBench();
  const terminals = createWindowTerminals(bench.tool);
  onTestFinished(() => terminals[Symbol.dispose]());
  return { ...bench, terminals };
}

function textOf({ data }: { data: string }): string {
  return Buffer.from(data, 'base64').toString();
}

/** Reads until the command has ended, or until what was read satisfies. */
async function readUntil(
  terminals: WindowTerminals,
  terminalId: string,
  satisfied: (text: string) => boolean = () => false,
): Promise<{ text: string; last: TerminalChunk }> {
  let text = '';
  for (;;) {
    const last = await terminals.read(terminalId);
    text = last.from === 'start' ? textOf(last) : text + textOf(last);
    if (last.ended || satisfied(text)) return { text, last };
  }
}

test('a window sees what was written before it looked and after, and the end', async () => {
  const { terminals, call } = await openWindow();
  await call({ command: 'echo before; read -p "Name? " name; echo "hi $name"' });
  const opened = terminals.open('session', undefined);
  expect(opened).toMatchObject({ columns: 160, rows: 50 });
  expect(textOf(opened ?? expect.unreachable())).toBe('before\nName? ');
  const terminalId = opened?.terminalId ?? '';
  terminals.write(terminalId, 'Ada\n');
  const { text } = await readUntil(terminals, terminalId);
  expect(text).toBe('Ada\nhi Ada\n');
  expect(() => terminals.write(terminalId, 'more')).toThrow(/has ended/);
});

test('what is typed while the program hides it is said to be hidden, and comes back to nobody', async () => {
  const { terminals, call } = await openWindow();
  await call({ command: 'read -s -p "Password: " word; echo; echo "${#word} characters"' });
  const terminalId = terminals.open('session', undefined)?.terminalId ?? '';
  expect(await terminals.typedText(terminalId)).toBe('hidden');
  terminals.write(terminalId, 'sesame-7\n');
  const { text } = await readUntil(terminals, terminalId);
  expect(text).toBe('\n8 characters\n');
  expect(JSON.stringify(await call({ command: 'true' }))).not.toContain('sesame');
});

test('the program is told the size of the window', async () => {
  const { terminals, call } = await openWindow();
  await call({ command: 'read go; stty size' });
  const terminalId = terminals.open('session', undefined)?.terminalId ?? '';
  terminals.resize(terminalId, 91, 17);
  terminals.write(terminalId, 'go\n');
  expect((await readUntil(terminals, terminalId)).text).toBe('go\n17 91\n');
});

test('a person can stop the command, and the shell stays', async () => {
  const { terminals, call, run } = await openWindow();
  await call({ command: 'mark=here; trap "" INT; cat' });
  const terminalId = terminals.open('session', undefined)?.terminalId ?? '';
  await terminals.stop(terminalId);
  expect((await readUntil(terminals, terminalId)).last.ended).toBe(true);
  expect(await run('echo $mark')).toMatch(/here$/);
});

test('a window that does not read is shown the newest, and holds nothing up', async () => {
  const { terminals, call } = await openWindow();
  await call({ command: 'read go; seq 1 400000; echo the end; read more' });
  const terminalId = terminals.open('session', undefined)?.terminalId ?? '';
  terminals.write(terminalId, 'go\n');
  const shown = terminals.open('session', undefined)?.terminalId ?? '';
  await readUntil(terminals, shown, (text) => text.endsWith('the end\n'));
  const late = await terminals.read(terminalId);
  expect(late.from).toBe('start');
  expect(textOf(late)).toMatch(/400000\nthe end\n$/);
  expect(late.data.length).toBeLessThan(400_000);
});

test('a window that goes away gets its answers, and leaves the program alone', async () => {
  const { terminals, call, tool } = await openWindow();
  await call({ command: 'read -p "? " line; echo "got $line"' });
  const terminalId = terminals.open('session', undefined)?.terminalId ?? '';
  const reading = terminals.read(terminalId);
  terminals[Symbol.dispose]();
  expect(await reading).toMatchObject({ ended: true });
  expect(() => terminals.write(terminalId, 'x')).toThrow(/not open any more/);
  tool.terminal('session')?.write('on\n');
  await waitFor(() => tool.terminal('session') === undefined);
});

test('where nothing runs there is nothing to open, and no window opens without end', async () => {
  const { terminals, call } = await openWindow();
  await call({ command: 'true' });
  expect(terminals.open('session', undefined)).toBeNull();
  expect(terminals.open('session', '7')).toBeNull();
  await call({ command: 'read line' });
  for (let open = 0; open < 32; open += 1) terminals.open('session', undefined);
  expect(() => terminals.open('session', undefined)).toThrow(/no more are allowed/);
});
