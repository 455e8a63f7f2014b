import type { SessionSummary } from '../../../../src-shared/index.ts';
import { jsonOption, type AddCommand, type CommonOptions } from '../command.ts';
import { withCore } from '../core.ts';
import { describeEvent } from '../describe-event.ts';
import { findSession } from '../find-session.ts';
import { firstLine, formatTime, table } from '../format.ts';
import { inlineMedia } from '../inline-media.ts';
import { writeNew } from '../write-new.ts';

export const addSessions: AddCommand = (program, terminal) => {
  const family = program.command('sessions').description('what was done: sessions and their logs');
  family
    .command('list')
    .description('all sessions, the most recently used first')
    .addOption(jsonOption('the list'))
    .action((options: CommonOptions) =>
      withCore(options, terminal, async (app) => {
        const sessions = app.store.sessions.list();
        if (options.json) terminal.answer(JSON.stringify(sessions));
        else if (sessions.length > 0) terminal.answer(table(sessions.map(describe)));
        else terminal.say('There are no sessions yet. Start one with "causeway run TASK".');
      }),
    );
  family
    .command('show')
    .description('one session, as it went')
    .argument('<session>', 'its id, or the beginning of it')
    .addOption(jsonOption('session and events, without media,'))
    .action((id: string, options: CommonOptions) =>
      withCore(options, terminal, async (app) => {
        const session = findSession(app, id);
        const events = app.store.events.read(session.id);
        if (options.json) return terminal.answer(JSON.stringify({ session, events }));
        const lines = events.map(describeEvent).filter((line) => line !== undefined);
        terminal.answer([`${session.title || '(no title)'}, ${session.workspace}`, ...lines].join('\n'));
      }),
    );
  family
    .command('export')
    .description('one session as a JSON document that stands on its own, media inside')
    .argument('<session>', 'its id, or the beginning of it')
    .option('--out <file>', 'write to a new file instead of stdout')
    .addOption(jsonOption('the session (it always is)'))
    .action((id: string, options: CommonOptions & { out?: string }) =>
      withCore(options, terminal, async (app) => {
        const session = findSession(app, id);
        const events = app.store.events.read(session.id).map((event) => inlineMedia(event, app.store.blobs));
        const json = JSON.stringify({ session, events });
        if (options.out === undefined) terminal.answer(json);
        else writeNew(options.out, `${json}\n`);
      }),
    );
};

function describe(session: SessionSummary): string[] {
  const state = session.state === 'idle' ? (session.lastOutcome ?? 'idle') : session.state;
  return [session.id, formatTime(session.updatedAt), session.origin, state, firstLine(session.title, 60)];
}
