import { CausewayError, type RewindPoint, type SessionSummary } from '../../../../../src-shared/index.ts';
import type { App } from '../../../../app.ts';
import { BadUsage, jsonOption, type AddCommand, type CommonOptions } from '../../command.ts';
import { withCore } from '../../core.ts';
import { findSession } from '../../find-session.ts';
import type { CliTerminal } from '../../terminal.ts';
import { tellPlan, tellReport } from './report.ts';

interface RestoreOptions extends CommonOptions {
  to: string;
  conversation?: true;
  files: boolean;
  dryRun?: true;
}

export const addRestore: AddCommand = (family, terminal) => {
  family
    .command('restore')
    .description('go back to a point of a session: its files, its conversation, or both')
    .argument('<session>', 'its id, or the beginning of it')
    .requiredOption(
      '--to <point>',
      'the number of an edit, or the id of a tool call: how it was right after it (0: before all)',
    )
    .option('--conversation', 'the conversation too: the agent goes on as if nothing had been said since')
    .option('--no-files', 'leave the files as they are')
    .option('--dry-run', 'only tell what would happen, file by file')
    .addOption(jsonOption('the report, or the plan'))
    .action((id: string, options: RestoreOptions) => restore(id, options, terminal));
};

async function restore(id: string, options: RestoreOptions, terminal: CliTerminal): Promise<void> {
  const { files, conversation = false, dryRun = false, json = false } = options;
  if (!files && !conversation) throw new BadUsage('Without files and without --conversation nothing would go back.');
  if (!files && dryRun) throw new BadUsage('--dry-run tells of files, and --no-files leaves them as they are.');
  await withCore(options, terminal, async (app) => {
    const session = findSession(app, id);
    const point = pointOf(app, session, options.to);
    if (dryRun) return tellPlan(await app.rewind.preview(session.id, point), json, terminal);
    // The rewind knows of the runs of this process only.
    if (session.state === 'running' || session.state === 'waiting') throw stillRuns(session);
    const report = await app.rewind.run(session.id, point, { files, conversation });
    if (conversation) terminal.say(`The conversation of session ${session.id} went back.`);
    if (files || json) tellReport(report, json, terminal);
  });
}

/** @throws CausewayError `not_found` for a point that the session does not have. */
function pointOf(app: App, { id }: SessionSummary, to: string): RewindPoint {
  const log = app.store.events.read(id);
  if (log.some((event) => event.type === 'tool.ended' && event.callId === to)) return { callId: to };
  if (to === '0') return { seq: 0 };
  const edit = log.find((event) => event.type === 'edit.recorded' && String(event.editId) === to);
  if (edit) return { seq: edit.seq };
  throw new CausewayError('not_found', `The session has no edit and no finished tool call "${to}".`, {
    hint: `"causeway history list --session ${id}" tells the numbers of its edits.`,
  });
}

function stillRuns({ id }: SessionSummary): CausewayError {
  return new CausewayError('conflict', `The session ${id} is running.`, { hint: 'Stop it first, then go back.' });
}
