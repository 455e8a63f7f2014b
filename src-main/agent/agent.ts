import { randomBytes, randomUUID } from 'node:crypto';
import os from 'node:os';
import { CausewayError, describeError, type MessageDelta, type Settings } from '../../src-shared/index.ts';
import { createEmitter } from '../platform/index.ts';
import type { BlobStore, EventLog, SessionStore } from '../store/index.ts';
import type { Gateway, ToolSource } from '../tools/index.ts';
import type { Agent, Finish, Model, Run, RunEnd } from './contract.ts';
import { DEFAULT_CONTEXT_TOKENS, runLoop } from './loop.ts';
import { systemPrompt } from './prompt.ts';
import { serverNotes, type ServerInstructions } from './server-notes.ts';
import { titleFrom } from './title.ts';
import { createToolSelection, type ToolSelection } from './tool-selection.ts';

export interface AgentParts {
  gateway: Gateway;
  source: ToolSource;
  events: EventLog;
  sessions: SessionStore;
  blobs: BlobStore;
  settings: () => Settings;
  /** What attached servers say of themselves. */
  /** Lists the tools of attached servers again. Never rejects. */
  relist?: () => Promise<void>;
  instructions: () => ServerInstructions[];
  /** Attached servers by when they were used last, the newest first. */
  recentServers?: () => string[];
}

type Task = Parameters<Agent['start']>[0];

interface ActiveRun {
  run: Run;
  finish: Finish | undefined;
  selection: ToolSelection;
}

/** The agent: one run at a time in each session, any number of sessions at once. */
export function createAgent(parts: AgentParts): Agent {
  const { events, sessions, source } = parts;
  const deltas = createEmitter<MessageDelta>();
  const bySession = new Map<string, ActiveRun>();
  /** No server can know it. */
  const mark = randomBytes(8).toString('hex');

  function begin(runId: string, { sessionId, text, model, attachments = [] }: Task): void {
    const session = sessions.get(sessionId);
    sessions.update(sessionId, { state: 'running', ...(session.title === '' && { title: titleFrom(text) }) });
    events.append(sessionId, {
      type: 'run.started',
      runId,
      model: { name: model.name, scripted: model.scripted },
      tools: source.tools().length,
    });
    events.append(sessionId, {
      type: 'message.user',
      runId,
      text,
      ...(attachments.length > 0 && { attachments: [...attachments] }),
    });
  }

  async function perform(active: ActiveRun, task: Task, signal: AbortSignal): Promise<RunEnd> {
    const { id: runId, sessionId } = active.run;
    const { model } = task;
    const startedAt = performance.now();
    const end = await settle(runId, async () => {
      begin(runId, task);
      const { workspace } = sessions.get(sessionId);
      return runLoop({
        ...parts,
        runId,
        sessionId,
        model,
        signal,
        selection: active.selection,
        told: () => ({
          system: systemPrompt({ workspace, ...here() }),
          notes: serverNotes(parts.instructions(), mark),
        }),
        finish: () => active.finish,
        onText: (messageId, delta) => deltas.emit({ sessionId, runId, messageId, text: delta }),
      });
    });
    bySession.delete(sessionId);
    const { outcome, message, steps } = end;
    const durationMs = Math.round(performance.now() - startedAt);
    try {
      events.append(sessionId, { type: 'run.ended', runId, outcome, message, steps, durationMs });
      sessions.update(sessionId, { state: 'idle', lastOutcome: outcome });
    } catch (error) {
      // The store is gone (disk full, database closed): whoever waits for the end is still told.
      return {
        ...end,
        outcome: 'failed',
        message: `The end of the run could not be recorded. ${describeError(error)}`,
      };
    }
    return end;
  }

  function select({ contextTokens = DEFAULT_CONTEXT_TOKENS }: Model): ToolSelection {
    const limitTokens = Math.floor((contextTokens * parts.settings().tools.searchAbovePercent) / 100);
    return createToolSelection({ source, limitTokens, recent: parts.recentServers?.() ?? [] });
  }

  return {
    start(task) {
      const { sessionId } = task;
      sessions.get(sessionId);
      if (bySession.has(sessionId)) {
        throw new CausewayError('conflict', 'This session is already working.', {
          hint: 'Stop it first, or wait until it is done.',
        });
      }
      const controller = new AbortController();
      const ended = Promise.withResolvers<RunEnd>();
      const run: Run = {
        id: randomUUID(),
        sessionId,
        ended: ended.promise,
        stop: () => controller.abort(new CausewayError('cancelled', 'Stopped by the person.')),
      };
      const active: ActiveRun = { run, finish: undefined, selection: select(task.model) };
      bySession.set(sessionId, active);
      ended.resolve(perform(active, task, controller.signal));
      return run;
    },
    running: (sessionId) => bySession.get(sessionId)?.run,
    finish(runId, end) {
      const active = [...bySession.values()].find((item) => item.run.id === runId);
      if (active) active.finish = end;
      return active !== undefined;
    },
    addTools(runId, names) {
      [...bySession.values()].find((item) => item.run.id === runId)?.selection.add(names);
    },
    onDelta: (listener) => deltas.on(listener),
    async stopAll() {
      const runs = [...bySession.values()].map(({ run }) => run);
      for (const run of runs) run.stop();
      await Promise.all(runs.map((run) => run.ended));
    },
  };
}

/** A fault of ours must end the run, visibly, and nothing else. */
async function settle(runId: string, work: () => Promise<Omit<RunEnd, 'runId'>>): Promise<RunEnd> {
  try {
    return { runId, ...(await work()) };
  } catch (error) {
    return {
      runId,
      outcome: 'failed',
      message: `The run broke off because of a fault in Causeway: ${describeError(error)}`,
      steps: 0,
    };
  }
}

function here(): { platform: string; date: string } {
  return { platform: `${os.type()} ${os.release()} (${os.arch()})`, date: new Date().toISOString().slice(0, 10) };
}
