import { z } from 'zod';
import { CausewayError, success } from '../../../src-shared/index.ts';
import type { Tool } from '../contract.ts';

const input = z.object({ status: z.enum(['success', 'failure']), message: z.string().default('') });
export type Termination = z.infer<typeof input>;

/**
 * Lets a model end its run with a status and a message.
 * @param finish ends the run; false when there is none. Only this tool has it, so no attached server can end a run.
 */
export function createTerminateTool({ finish }: { finish: (runId: string, end: Termination) => boolean }): Tool {
  return {
    name: 'terminate',
    title: 'End the run',
    description:
      'Ends the run. Call it when the task is done (`success`) or can not be done (`failure`), with the final answer or the ' +
      'reason in `message`. Calls after it in the same turn do not run. A plain text answer without tool calls ends the run too.',
    inputSchema: {
      type: 'object',
      properties: {
        status: { type: 'string', enum: ['success', 'failure'], description: 'Whether the task was done.' },
        message: { type: 'string', description: 'The final answer, or why it could not be done.' },
      },
      required: ['status'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    origin: { kind: 'builtin' },
    execute(raw, context) {
      const end = input.parse(raw);
      if (context.caller.kind !== 'agent' || !finish(context.caller.runId, end)) {
        throw new CausewayError('refused', 'There is no run to end here.');
      }
      return Promise.resolve(success(`The run ends: ${end.status}.`));
    },
  };
}
