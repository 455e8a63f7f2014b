import { describe, expect, it, onTestFinished } from 'vitest';
import { settleInterrupted } from '../../../src-main/agent/index.ts';
import { openStore } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

describe('a session whose program died', () => {
  it('gets the ends that never came, with the steps and the time there were, so that nothing runs for ever', () => {
    const store = openStore({ home: temporaryFolder() });
    onTestFinished(() => store[Symbol.dispose]());
    const { id } = store.sessions.create({ title: 'cut off', workspace: '/w', origin: 'window' });
    store.events.append(id, { type: 'run.started', runId: 'r', model: { name: 'm', scripted: true }, tools: 1 });
    store.events.append(id, { type: 'message.assistant', runId: 'r', messageId: 'r-1', text: 'On it.', toolCalls: [] });
    const caller = { kind: 'agent', runId: 'r' } as const;
    store.events.append(id, { type: 'tool.started', callId: 'c', runId: 'r', caller, name: 'bash', input: {} });
    store.sessions.update(id, { state: 'running' });
    store.db.prepare(`UPDATE sessions SET owner = '1:never' WHERE id = ?`).run(id);

    settleInterrupted(store);

    const [ended, run] = store.events.read(id).slice(-2);
    expect(ended).toMatchObject({ type: 'tool.ended', callId: 'c', result: { isError: true } });
    expect(run).toMatchObject({ type: 'run.ended', runId: 'r', outcome: 'interrupted', steps: 1 });
    expect(store.sessions.get(id)).toMatchObject({ state: 'interrupted', lastOutcome: 'interrupted' });
    const before = store.events.read(id).length;
    settleInterrupted(store);
    expect(store.events.read(id)).toHaveLength(before);
  });
});
