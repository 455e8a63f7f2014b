import { describe, expect, it } from 'vitest';
import { toText, type JsonObject } from '../../../src-shared/index.ts';
import { createReadOutputTool } from '../../../src-main/tools/output/index.ts';
import type { ToolContext } from '../../../src-main/tools/contract.ts';
import { memoryOutputs } from '../../fixtures/memory-outputs.ts';

/** The tool on an output of this text. */
function open(text: string | Buffer): { read(input?: JsonObject, signal?: AbortSignal): Promise<string> } {
  const outputs = memoryOutputs();
  const writer = outputs.create();
  writer.write(Buffer.from(text));
  const tool = createReadOutputTool({ outputs });
  return {
    async read(input = {}, signal = new AbortController().signal) {
      const context: Pick<ToolContext, 'signal'> = { signal };
      return toText(await tool.execute({ handle: writer.handle, ...input }, context as ToolContext));
    },
  };
}

const numbers = Array.from({ length: 500_000 }, (_, index) => `line ${index + 1}\n`).join('');

describe('reading a kept output by lines', () => {
  it('gives the lines asked for, and where to go on', async () => {
    const { read } = open(numbers);
    expect(await read({ line: 499_998, lines: 2 })).toBe(
      'line 499998\nline 499999\n[lines 499998 to 499999; go on from line 500000]',
    );
    expect(await read({ line: 500_000 })).toBe('line 500000\n[lines 500000 to 500000; this is the end]');
    expect(await read({ line: 500_001 })).toBe('[the output has 500000 lines]');
  });

  it('counts a last line without an end, and empty ones', async () => {
    expect(await open('a\n\nb').read({ line: 1 })).toBe('a\n\nb\n[lines 1 to 3; this is the end]');
  });

  it('shows no escape sequences, and keeps characters whole between the pieces it reads', async () => {
    const wide = '漢'.repeat(400_000);
    const { read } = open(`\x1b[31mred\x1b[0m\r\n${wide}\nend\n`);
    expect(await read({ line: 1, lines: 1 })).toMatch(/^red\n/);
    expect(await read({ line: 2, lines: 1 })).toMatch(/^漢{2000} \[… \d+ characters …\]/);
    expect(await read({ search: 'end' })).toContain(': end');
    expect(await read({ search: '\uFFFD' })).toMatch(/^\[0 matching/);
  });

  it('ends early when it would be too much for one answer', async () => {
    const { read } = open(`${'x'.repeat(1500)}\n`.repeat(1000));
    expect(await read({ line: 1, lines: 5000 })).toMatch(/go on from line 3\d\]$/);
  });
});

describe('searching a kept output', () => {
  it('finds text with its line number, in any case when written small', async () => {
    const { read } = open('one\nTwo Error\nthree error\n');
    expect(await read({ search: 'error' })).toBe(
      '2: Two Error\n3: three error\n[2 matching lines of 3; this is the end]',
    );
    expect(await read({ search: 'Error' })).toBe('2: Two Error\n[1 matching line of 3; this is the end]');
    expect(await read({ search: 'no such' })).toBe('[0 matching lines of 3; this is the end]');
  });

  it('finds expressions in the whole of a long one', async () => {
    const { read } = open(numbers);
    expect(await read({ search: '^line 4999[0-9]8$', regex: true })).toContain(
      '499918: line 499918\n499928: line 499928',
    );
  });

  it('goes on from a line when there are too many', async () => {
    const { read } = open(numbers);
    const first = await read({ search: '7' });
    const next = /go on from line (\d+)\]$/.exec(first)?.[1];
    expect(first.split('\n')).toHaveLength(101);
    expect(await read({ search: '7', line: Number(next) })).toMatch(new RegExp(`^${next}: line ${next}\n`));
  });

  it('refuses what is no expression, and gives up on one that would take for ever', async () => {
    const { read } = open(`${'a'.repeat(40)}b\n`);
    await expect(read({ search: '(', regex: true })).rejects.toMatchObject({ code: 'bad_input' });
    await expect(read({ search: '^(a+)+$', regex: true })).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('too long'),
    });
  });

  it('stops when the call is cancelled', async () => {
    const { read } = open(numbers);
    await expect(read({ search: 'x' }, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});
