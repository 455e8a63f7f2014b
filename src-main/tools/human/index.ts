import { z } from 'zod';
import { success } from '../../../src-shared/index.ts';
import type { Tool } from '../contract.ts';

const input = z.object({ question: z.string(), choices: z.array(z.string()).optional() });

/** Lets a model ask the person. The run pauses; the program does not. */
export function createAskHumanTool(): Tool {
  return {
    name: 'ask_human',
    title: 'Ask the person',
    description:
      'Asks the person one question and waits for the answer, which may take long. Use it only when you can not find out ' +
      'yourself and a wrong guess would cost something. Offer `choices` when there are a few clear ones; the person may ' +
      'still answer freely.',
    inputSchema: {
      type: 'object',
      properties: {
        question: { type: 'string', minLength: 1, description: 'One question, in a sentence or two.' },
        choices: { type: 'array', items: { type: 'string' }, maxItems: 10, description: 'Answers to choose from.' },
      },
      required: ['question'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    origin: { kind: 'builtin' },
    async execute(raw, context) {
      const { question, choices } = input.parse(raw);
      return success(await context.ask({ question, ...(choices && { choices }) }));
    },
  };
}
