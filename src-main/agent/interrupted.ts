import type { EventLog, SessionStore } from '../store/index.ts';

/**
 * Closes what a dead program left open: its sessions become `interrupted`, and their logs get the ends that never came, so
 * that nothing seems to run or wait for ever. Call once at start.
 */
export function settleInterrupted({ events, sessions }: { events: EventLog; sessions: SessionStore }): void {
  for (const session of sessions.markInterrupted()) {
    const openCalls = new Map<string, number>();
    let openRun: { runId: string; startedAt: number; lastAt: number; steps: number } | undefined;
    for (const event of events.read(session.id)) {
      if (event.type === 'run.started')
        openRun = { runId: event.runId, startedAt: event.at, lastAt: event.at, steps: 0 };
      if (openRun) openRun.lastAt = event.at;
      if (openRun && event.type === 'message.assistant') openRun.steps += 1;
      if (event.type === 'run.ended') openRun = undefined;
      if (event.type === 'tool.started') openCalls.set(event.callId, event.at);
      if (event.type === 'tool.ended') openCalls.delete(event.callId);
    }
    for (const callId of openCalls.keys()) {
      events.append(session.id, {
        type: 'tool.ended',
        callId,
        durationMs: 0,
        result: {
          content: [{ type: 'text', text: 'The program ended while this ran. What it did up to then is unknown.' }],
          isError: true,
        },
      });
    }
    if (openRun) {
      events.append(session.id, {
        type: 'run.ended',
        runId: openRun.runId,
        outcome: 'interrupted',
        message: 'Causeway ended while this ran. Send a message to go on.',
        steps: openRun.steps,
        durationMs: openRun.lastAt - openRun.startedAt,
      });
    }
  }
}
