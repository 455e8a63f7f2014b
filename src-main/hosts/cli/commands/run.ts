import type { SessionEvent } from '../../../../src-shared/index.ts';
import type { App } from '../../../app.ts';
import { askPerson } from '../ask-person.ts';
import { BadUsage, CommandFailed, jsonOption, type AddCommand, type CommonOptions } from '../command.ts';
import { startServers, withCore } from '../core.ts';
import { describeEvent } from '../describe-event.ts';
import { inlineMedia } from '../inline-media.ts';
import type { CliTerminal } from '../terminal.ts';

interface RunOptions extends CommonOptions {
  demo?: true;
  yes?: true;
}

export const addRun: AddCommand = (program, terminal) => {
  program
    .command('run')
    .description('give the agent a task and follow it; the final answer goes to stdout, progress to stderr')
    .argument('[task]', 'what to do')
    .addOption(jsonOption('the event log, one event a line with media inside,'))
    .option('--demo', 'play the scripted demo: real tools, no model and no account')
    .option('--yes', 'go ahead with everything without asking')
    .action((task: string | undefined, options: RunOptions) => runTask(task, options, terminal));
};

async function runTask(task: string | undefined, options: RunOptions, terminal: CliTerminal): Promise<void> {
  if (options.demo ? task !== undefined : !task?.trim()) {
    throw new BadUsage(
      options.demo
        ? 'The demo brings its own task: leave yours out.'
        : 'Say what to do: causeway run "TASK", or --demo to watch a demo.',
    );
  }
  await withCore({ ...options, canAsk: () => terminal.interactive }, terminal, async (app) => {
    await startServers(app, terminal);
    using _person = askPerson(app, terminal);
    const end = await follow(app, () => begin(app, task), options.json === true, terminal);
    // stdout is for answers: why there is none goes to stderr.
    if (end.outcome !== 'done') throw new CommandFailed(end.message || `The run ended as "${end.outcome}".`);
    if (!options.json && end.message) terminal.answer(end.message);
  });
}

async function begin(app: App, task: string | undefined) {
  if (task === undefined) return app.runDemo('terminal');
  const session = app.store.sessions.create({ title: '', workspace: app.workspace, origin: 'terminal' });
  return app.runTask(session.id, task);
}

/** Starts a run and prints its events as they come, all of them and each once, until it has ended. */
async function follow(app: App, start: () => ReturnType<typeof begin>, json: boolean, terminal: CliTerminal) {
  let sessionId: string | undefined = undefined;
  let lastSeq = 0;
  function printNew(): void {
    // Read from the log, not taken from the listener: what happened before the session's id was known is in it too.
    for (const event of sessionId === undefined ? [] : app.store.events.read(sessionId, lastSeq)) {
      lastSeq = event.seq;
      if (json) terminal.answer(JSON.stringify(inlineMedia(event, app.store.blobs)));
      else showProgress(event, terminal);
    }
  }
  using _events = app.store.events.on(printNew);
  const run = await start();
  sessionId = run.sessionId;
  printNew();
  const stop = (): void => run.stop();
  terminal.signal.addEventListener('abort', stop, { once: true });
  if (terminal.signal.aborted) stop();
  try {
    return await run.ended;
  } finally {
    terminal.signal.removeEventListener('abort', stop);
    printNew();
  }
}

function showProgress(event: SessionEvent, terminal: CliTerminal): void {
  // The last words of the model are the answer, and the person just typed the task.
  const isAnswer = event.type === 'message.assistant' && event.toolCalls.length === 0;
  const text = isAnswer || event.type === 'message.user' ? undefined : describeEvent(event);
  if (text !== undefined) terminal.say(text);
}
