import { writeFileSync } from 'node:fs';
import { CausewayError, type SessionSummary } from '../../../../src-shared/index.ts';
import type { App } from '../../../app.ts';
import { jsonOption, type AddCommand, type CommonOptions } from '../command.ts';
import { withCore } from '../core.ts';
import { describeEvent } from '../describe-event.ts';
import { firstLine, formatTime, table } from '../format.ts';
import { inlineMedia } from '../inline-media.ts';

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

/** @throws CausewayError `not_found`, or `conflict` when several begin so. */
function findSession(app: App, id: string): SessionSummary {
  const [first, second] = app.store.sessions.list().filter((session) => session.id.startsWith(id));
  if (first && (!second || first.id === id)) return first;
  if (!first) return app.store.sessions.get(id);
  throw new CausewayError('conflict', `Several sessions begin with "${id}".`, { hint: 'Give more of its id.' });
}

function describe(session: SessionSummary): string[] {
  const state = session.state === 'idle' ? (session.lastOutcome ?? 'idle') : session.state;
  return [session.id, formatTime(session.updatedAt), session.origin, state, firstLine(session.title, 60)];
}

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    throw new CausewayError(
      'io',
      exists ? `The file ${file} exists already.` : `The file ${file} could not be written.`,
      {
        hint: 'Name another one with --out.',
        cause,
      },
    );
  }
}
