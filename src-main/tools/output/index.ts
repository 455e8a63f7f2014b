import { success } from '../../../src-shared/index.ts';
import { z } from 'zod';
import type { OutputStore } from '../../store/index.ts';
import type { Tool } from '../contract.ts';

const input = z.object({
  handle: z.string(),
  offset: z.number().int().nonnegative().default(0),
  length: z.number().int().min(1).max(50_000).default(20_000),
});

/** Lets a model page through an output of which it was shown head and tail. */
export function createReadOutputTool({ outputs }: { outputs: OutputStore }): Tool {
  return {
    name: 'read_output',
    title: 'Read output',
    description:
      'Reads a part of a long output that was shown only in part. `handle` is the one named where the output was cut; ' +
      '`offset` and `length` are in bytes. The answer ends with the offset to go on from.',
    inputSchema: {
      type: 'object',
      properties: {
        handle: { type: 'string', description: 'The handle named where the output was cut.' },
        offset: { type: 'integer', minimum: 0, description: 'First byte to read. Default 0.' },
        length: { type: 'integer', minimum: 1, maximum: 50_000, description: 'Bytes to read. Default 20000.' },
      },
      required: ['handle'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    origin: { kind: 'builtin' },
    execute(raw) {
      const { handle, offset, length } = input.parse(raw);
      const part = outputs.read(handle, offset, length);
      const end = Math.min(part.offset + length, part.totalBytes);
      const rest = end < part.totalBytes ? `go on from offset ${end}` : 'this is the end';
      return Promise.resolve(success(`${part.text}\n[bytes ${part.offset} to ${end} of ${part.totalBytes}; ${rest}]`));
    },
  };
}
