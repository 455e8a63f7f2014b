import { Command, CommanderError } from 'commander';
import { describeError } from '../../../src-shared/index.ts';
import { version } from '../paths.ts';
import { BadUsage, CommandFailed, portOption, workspaceOption, type AddCommand } from './command.ts';
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
import { createTerminal, exit, Fault, Interrupted, type CliTerminal } from './terminal.ts';

const EXIT_FAILED = 1;
const EXIT_BAD_USAGE = 2;

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
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
    // What serves until it is told to stop ends without an error also after a fault.
    if (terminal.signal.reason instanceof Fault) throw terminal.signal.reason;
    return 0;
  } catch (error) {
    return report(error, terminal);
  }
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
  program.hook('preAction', (_program, command) => handDown(program, command));
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

/** Says what went wrong in one sentence on stderr and gives the exit code. */
function report(error: unknown, terminal: CliTerminal): number {
  if (terminal.signal.aborted && terminal.signal.reason instanceof Interrupted) {
    return terminal.signal.reason.exitCode;
  }
  if (terminal.signal.reason instanceof Fault) {
    terminal.say(terminal.signal.reason.message);
    return EXIT_FAILED;
  }
  if (error instanceof CommanderError) {
    // Help and version were asked for, and are printed; help for a missing sub-command is bad usage.
    if (error.exitCode === 0) return 0;
    if (error.code !== 'commander.help') terminal.say(`${asSentence(error.message)} Try --help.`);
    return EXIT_BAD_USAGE;
  }
  if (error instanceof BadUsage) {
    terminal.say(`${error.message} Try --help.`);
    return EXIT_BAD_USAGE;
  }
  if (error instanceof CommandFailed) {
    if (error.message) terminal.say(error.message);
    return EXIT_FAILED;
  }
  terminal.say(describeError(error));
  return EXIT_FAILED;
}

/** "error: unknown option '--x'\n(Did you mean --y?)" as a plain sentence. */
function asSentence(message: string): string {
  const text = message
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?)]$/.test(capital) ? capital : `${capital}.`;
}
