import { z } from 'zod';
import { success, type OutputMatches, type ToolResult } from '../../../src-shared/index.ts';
import type { OutputStore } from '../../store/index.ts';
import type { Tool } from '../contract.ts';
import { readLines, type Line } from './lines.ts';
import { matchExpression, matchText } from './match.ts';
import { readPage } from './page.ts';
import { searchOutput, shorten } from './search.ts';

export { matchText, readPage, searchOutput };

/** Characters of one answer. */
const MOST_TEXT = 50_000;

const input = z.object({
  handle: z.string(),
  offset: z.number().int().nonnegative().default(0),
  length: z.number().int().min(1).max(50_000).default(20_000),
  line: z.number().int().min(1).optional(),
  lines: z.number().int().min(1).max(5000).default(200),
  search: z.string().min(1).max(1000).optional(),
  regex: z.boolean().default(false),
});

/** Lets a model page through an output of which it was shown head and tail, and search it. */
export function createReadOutputTool({ outputs }: { outputs: OutputStore }): Tool {
  return {
    name: 'read_output',
    title: 'Read output',
    description:
      'Reads or searches an output that was shown only in part. `handle` is the one named where the output was cut. ' +
      'By lines: `line` is the first, `lines` how many. To search the whole: `search`, with `regex` for a regular expression; ' +
      'it gives matching lines with their numbers, from `line` on. By bytes, raw: `offset` and `length`. ' +
      'The answer ends with where to go on from.',
    inputSchema: {
      type: 'object',
      properties: {
        handle: { type: 'string', description: 'The handle named where the output was cut.' },
        line: { type: 'integer', minimum: 1, description: 'First line to read or to search from.' },
        lines: { type: 'integer', minimum: 1, maximum: 5000, description: 'Lines to read. Default 200.' },
        search: {
          type: 'string',
          minLength: 1,
          maxLength: 1000,
          description: 'Text that a line must hold. All lower case: any case matches.',
        },
        regex: { type: 'boolean', description: 'Take `search` for a JavaScript regular expression.' },
        offset: { type: 'integer', minimum: 0, description: 'First byte to read, of the raw output. Default 0.' },
        length: { type: 'integer', minimum: 1, maximum: 50_000, description: 'Bytes to read. Default 20000.' },
      },
      required: ['handle'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    origin: { kind: 'builtin' },
    async execute(raw, { signal }) {
      const { handle, offset, length, line, lines, search, regex } = input.parse(raw);
      if (search !== undefined) {
        const matcher = regex ? matchExpression(search) : matchText(search);
        return describeMatches(await searchOutput(outputs, { handle, matcher, line: line ?? 1, signal }));
      }
      if (line !== undefined) return takeLines(readLines(outputs, handle, signal), line, lines);
      const part = outputs.read(handle, offset, length);
      const end = Math.min(part.offset + length, part.totalBytes);
      const rest = end < part.totalBytes ? `go on from offset ${end}` : 'this is the end';
      return success(`${part.text}\n[bytes ${part.offset} to ${end} of ${part.totalBytes}; ${rest}]`);
    },
  };
}

async function takeLines(groups: AsyncIterable<Line[]>, first: number, count: number): Promise<ToolResult> {
  const taken: string[] = [];
  let size = 0;
  let last = 0;
  for await (const group of groups) {
    for (const { number, text } of group) {
      last = number;
      if (number < first) continue;
      if (number >= first + count || size > MOST_TEXT) {
        return success(`${taken.join('\n')}\n[lines ${first} to ${number - 1}; go on from line ${number}]`);
      }
      const shown = shorten(text);
      taken.push(shown);
      size += shown.length;
    }
  }
  if (taken.length === 0) return success(`[the output has ${last} lines]`);
  return success(`${taken.join('\n')}\n[lines ${first} to ${last}; this is the end]`);
}

function describeMatches({ matches, lines, next }: OutputMatches): ToolResult {
  const shown = matches.map(({ line, text }) => `${line}: ${text}`);
  const count = matches.length === 1 ? '1 matching line' : `${matches.length} matching lines`;
  const rest = next === null ? `of ${lines}; this is the end` : `so far; go on from line ${next}`;
  return success([...shown, `[${count} ${rest}]`].join('\n'));
}
