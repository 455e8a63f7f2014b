import { z } from 'zod';
import type { JsonObject, ToolDefinition } from '../../../src-shared/index.ts';

/** Seconds; a day. */
const LONGEST_LIMIT = 86_400;

const input = z.strictObject({
  command: z.string().optional(),
  input: z.string().optional(),
  timeout: z.number().positive().max(LONGEST_LIMIT).optional(),
  silence: z.number().positive().max(LONGEST_LIMIT).optional(),
  background: z.boolean().default(false),
  keep: z.boolean().default(false),
  job: z.string().optional(),
  stop: z.boolean().default(false),
  restart: z.boolean().default(false),
});
export type BashInput = z.infer<typeof input>;

/** The checked input of one call. @throws ZodError for what the schema would not have let pass. */
export function parseInput(raw: JsonObject): BashInput {
  return input.parse(raw);
}

const DESCRIPTION = `Runs a command in a bash that stays open on a terminal: the directory, variables, functions, aliases and exports last from call to call. Any command works as it is, also several lines and heredocs.
The result holds the output as a person would see it on screen; when it is long, its beginning and end, with a handle for read_output to read the rest. An exit code other than 0 and a changed directory are noted below it.
A call ends when the command ends, when it waits for typing, after "timeout" seconds, or after "silence" seconds without output; in all but the first case the command goes on. Then call again:
- with nothing, to wait on ("timeout" says how long);
- with "input", to type into it exactly as given: end it with a line break to press Enter; "\\u0003" is Ctrl-C, "\\u0004" ends input;
- with a new "command": the one that still runs is stopped first (Ctrl-C, then harder), directory and variables stay.
"restart" ends the shell and everything in it, and starts a new one in the workspace folder.
"background": true starts the command as a job of its own, with a copy of the shell's directory, variables and functions, and returns at once with the job's name; it ends with Causeway at the latest, unless "keep" is true. With "job": its output since the last look ("timeout" waits for its end that long), with "input" to type into it, with "stop" to end it. "background": true without a command lists the jobs.
Pagers and editors are off (PAGER=cat, EDITOR=true). Nobody can answer a password prompt but you with "input".`;

/** All that people and models see of the tool. */
export const bashDefinition: ToolDefinition = {
  name: 'bash',
  title: 'Shell',
  description: DESCRIPTION,
  inputSchema: {
    type: 'object',
    properties: {
      command: { type: 'string', description: 'What to run; may have several lines.' },
      input: { type: 'string', description: 'Text to type into the running program, exactly as given.' },
      timeout: {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: LONGEST_LIMIT,
        description: 'Seconds until the call returns although the command still runs. Default: the setting, 120.',
      },
      silence: {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: LONGEST_LIMIT,
        description:
          'Seconds without output until the call returns although the command still runs. Default: the setting, 60.',
      },
      background: { type: 'boolean', description: 'Start the command as a job and return at once.' },
      keep: {
        type: 'boolean',
        description:
          'With "background": the job goes on when Causeway ends, without a terminal; its output goes to a file.',
      },
      job: { type: 'string', description: 'Name of a background job to look at.' },
      stop: { type: 'boolean', description: 'With "job": end it.' },
      restart: {
        type: 'boolean',
        description: 'End the shell and start a new one, before the command if there is one.',
      },
    },
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      state: {
        type: 'string',
        enum: ['ended', 'running', 'waiting', 'cancelled', 'shell-ended', 'restarted', 'jobs'],
        description: 'running: the limit was reached first; waiting: it waits for typing.',
      },
      exitCode: { type: 'integer', description: 'When the command has ended; 128 and the number for a signal.' },
      cwd: { type: 'string', description: "The shell's directory after the call." },
      durationMs: { type: 'number', description: 'Since the command was started.' },
      running: {
        type: 'object',
        properties: {
          pid: { type: 'integer' },
          command: { type: 'string' },
          reads: { type: 'string', enum: ['yes', 'maybe', 'no', 'unknown'] },
        },
        description: 'The program in the foreground, and whether it waits for typing.',
      },
      limit: { type: 'string', enum: ['total', 'silence'], description: 'Which limit was reached.' },
      typing: {
        type: 'string',
        enum: ['shown', 'hidden', 'program'],
        description: 'While it waits: whether the terminal shows what is typed. hidden: a password, most likely.',
      },
      job: { type: 'string' },
      handle: {
        type: 'string',
        description:
          'The output as it came, for read_output: when the text is not all of it, and for a job, from its start.',
      },
      sandbox: {
        type: 'object',
        properties: {
          policy: { type: 'string', enum: ['off', 'workspace-write', 'read-only'] },
          network: {
            anyOf: [
              { type: 'string', enum: ['on', 'off'] },
              { type: 'array', items: { type: 'string' } },
            ],
          },
        },
        description: 'What keeps the shell in.',
      },
      jobs: { type: 'array', items: { type: 'object' } },
    },
    required: ['state'],
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  origin: { kind: 'builtin' },
};
