import { Command } from 'commander';
import { version } from '../paths.ts';
import { BadUsage, portOption, workspaceOption, type AddCommand } from './command.ts';
import { addBench } from './commands/bench.ts';
import { addCall } from './commands/call.ts';
import { addDoctor } from './commands/doctor.ts';
import { addHistory } from './commands/history/index.ts';
import { addMcp } from './commands/mcp.ts';
import { addRun } from './commands/run.ts';
import { addServers } from './commands/servers.ts';
import { addSessions } from './commands/sessions.ts';
import { addTools } from './commands/tools.ts';
import { addWeb } from './commands/web.ts';
import { refuseEmpty } from './empty-values.ts';
import { failureOf, type Failure } from './failure.ts';
import { createTerminal, exit, Fault, type CliTerminal } from './terminal.ts';

const COMMANDS: readonly AddCommand[] = [
  addWeb,
  addRun,
  addCall,
  addTools,
  addServers,
  addMcp,
  addHistory,
  addSessions,
  addDoctor,
  addBench,
];

/** Runs the command line and ends the process with its exit code. `args` is argv without node and script. */
export async function main(args: readonly string[]): Promise<never> {
  const terminal = createTerminal();
  return exit(await run(args, terminal));
}

async function run(args: readonly string[], terminal: CliTerminal): Promise<number> {
  let answered = false;
  const noting: CliTerminal = {
    ...terminal,
    answer(text) {
      answered = true;
      terminal.answer(text);
    },
  };
  try {
    await createProgram(noting).parseAsync(args, { from: 'user' });
    // What serves until it is told to stop ends without an error also after a fault.
    if (terminal.signal.reason instanceof Fault) throw terminal.signal.reason;
    return 0;
  } catch (error) {
    const failure = failureOf(error, terminal.signal);
    report(failure, { asJson: !answered && wantsJson(args) }, terminal);
    return failure.exitCode;
  }
}

/** Also where the arguments are wrong, so that there are no parsed ones. What stands behind `--` is no option. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}

/** People read the sentence on stderr; programs that get no answer get the failure as JSON in its place. */
function report(
  { exitCode, said, code, message, hint }: Failure,
  { asJson }: { asJson: boolean },
  terminal: CliTerminal,
): void {
  if (said !== undefined) terminal.say(said);
  if (!asJson || exitCode === 0) return;
  terminal.answer(JSON.stringify({ error: { code, message, ...(hint !== undefined && { hint }) } }));
}

/** The whole command line. Commands load what they need only when they run, so that help and small answers come at once. */
function createProgram(terminal: CliTerminal): Command {
  const program = new Command('causeway')
    .description('An AI agent that works on your own machine, and a two-way bridge for the Model Context Protocol.')
    .usage('[command] [options]')
    .version(version(), '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .enablePositionalOptions()
    .argument('[command]')
    .addOption(workspaceOption())
    .addOption(portOption())
    .option('--no-open', 'do not open a browser')
    .addHelpText('after', '\nWithout a command, Causeway opens its window.')
    .action(async (unknown: string | undefined, options: { workspace?: string; port?: number; open: boolean }) => {
      if (unknown !== undefined) throw unknownCommand(unknown, program);
      const { openApp } = await import('./commands/app.ts');
      await openApp(options, terminal);
    });
  for (const add of COMMANDS) add(program, terminal);
  for (const command of leavesOf(program)) command.addOption(workspaceOption());
  for (const command of program.commands) command.helpCommand(false);
  program.hook('preAction', (_program, command) => {
    handDown(program, command);
    refuseEmpty(command);
  });
  return program;
}

/** What was said before the command's name counts for the command, and is never quietly left out. */
function handDown(program: Command, command: Command): void {
  if (command === program) return;
  for (const option of program.options) {
    const name = option.attributeName();
    if (program.getOptionValueSource(name) !== 'cli') continue;
    if (!command.options.some((own) => own.attributeName() === name)) {
      throw new BadUsage(`"${option.long ?? name}" means nothing to "${command.name()}".`);
    }
    if (command.getOptionValueSource(name) !== 'cli') command.setOptionValue(name, program.getOptionValue(name));
  }
}

/** The commands that do something; families such as `history` only hold others. */
function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((child) => (child.commands.length > 0 ? leavesOf(child) : [child]));
}

function unknownCommand(name: string, program: Command): BadUsage {
  const known = program.commands.map((command) => command.name());
  return new BadUsage(`There is no command "${name}"; the commands are ${known.join(', ')}.`);
}
