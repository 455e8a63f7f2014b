import { parseTree, type ParseError } from 'jsonc-parser';
import { isJsonObject, toText, type JsonObject, type ToolResult } from '../../../../src-shared/index.ts';
import { askPerson } from '../ask-person.ts';
import { BadUsage, CommandFailed, jsonOption, type AddCommand, type CommonOptions } from '../command.ts';
import { startServers, withCore } from '../core.ts';
import { saveMedia } from '../save-media.ts';
import type { CliTerminal } from '../terminal.ts';

/** What still reads as a reason and not as output, in characters. */
const LONGEST_REASON = 400;

interface CallOptions extends CommonOptions {
  yes?: true;
}

export const addCall: AddCommand = (program, terminal) => {
  program
    .command('call')
    .description('run one tool, without a model; exit code 1 when its result is an error')
    .argument('<tool>', 'name of the tool, as "causeway tools" lists it')
    .argument('[input]', 'its input, a JSON object', '{}')
    .addOption(jsonOption('the whole result'))
    .option('--yes', 'go ahead with everything without asking')
    .addHelpText('after', `\nExample: causeway call bash '{"command": "git status"}'`)
    .action((tool: string, input: string, options: CallOptions) => callTool(tool, input, options, terminal));
};

async function callTool(name: string, json: string, options: CallOptions, terminal: CliTerminal): Promise<void> {
  const input = parseInput(json);
  await withCore({ ...options, canAsk: () => terminal.interactive }, terminal, async (app) => {
    // Starting servers takes time that a built-in tool has no use for.
    if (!app.collection.find(name)) await startServers(app, terminal);
    using _person = askPerson(app, terminal);
    const session = app.sessionFor('Calls from the terminal', 'terminal');
    const result = await app.gateway.call({
      sessionId: session.id,
      caller: { kind: 'person' },
      name,
      input,
      signal: terminal.signal,
    });
    // What a built-in tool says beside its words is for programs: they ask with --json.
    const shown = app.collection.find(name)?.origin.kind === 'builtin' ? withoutStructure(result) : result;
    const answer = options.json ? JSON.stringify(result) : await describeResult(shown);
    if (answer !== '') terminal.answer(answer);
    if (result.isError) throw new CommandFailed(describeFailure(name, result));
  });
}

/** @throws BadUsage that says where the JSON breaks. */
function parseInput(json: string): JsonObject {
  const value = parseJson(json);
  if (!isJsonObject(value)) throw new BadUsage('The input must be a JSON object, such as \'{"command": "ls"}\'.');
  return value;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    // The engine names the position only sometimes.
    const errors: ParseError[] = [];
    parseTree(json, errors);
    const offset = errors[0]?.offset;
    const where = offset === undefined ? '' : ` at position ${offset}, ${before(json.slice(offset, offset + 20))}`;
    throw new BadUsage(`The input is not JSON: it breaks${where}.`, { cause });
  }
}

function before(rest: string): string {
  return rest === '' ? 'where it ends' : `before ${JSON.stringify(rest)}`;
}

/** A short reason is said again; a long output speaks for itself, on stdout. */
function describeFailure(name: string, result: ToolResult): string {
  const reason = toText(result).trim();
  const isSentence = reason !== '' && !reason.includes('\n') && reason.length <= LONGEST_REASON;
  return `The tool "${name}" failed${isSentence ? `: ${reason}` : '; its result says why.'}`;
}

function withoutStructure({ structuredContent: _structured, ...result }: ToolResult): ToolResult {
  return result;
}

/** The result as text; pictures and sounds are saved and named. */
async function describeResult(result: ToolResult): Promise<string> {
  const parts = await saveMedia(result.content);
  const lines = parts.length > 0 || !result.structuredContent ? parts : [JSON.stringify(result.structuredContent)];
  return [...lines, ...(result.system ? [`[${result.system}]`] : [])].join('\n');
}
