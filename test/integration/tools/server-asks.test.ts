import { describe, expect, it, onTestFinished } from 'vitest';
import { createDesk } from '../../../src-main/approvals/index.ts';
import { openStore } from '../../../src-main/store/index.ts';
import type { ServerRequest } from '../../../src-shared/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

const FORM: ServerRequest = {
  kind: 'form',
  message: 'Who are you?',
  schema: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer', default: 30 } },
    required: ['name'],
  },
};

function open(canAsk = true) {
  const store = openStore({ home: temporaryFolder(), schemas: [] });
  onTestFinished(() => store[Symbol.dispose]());
  const desk = createDesk({ events: store.events, sessions: store.sessions, canAsk: () => canAsk });
  const { id: sessionId } = store.sessions.create({ title: 't', workspace: '/w', origin: 'window' });
  const stop = new AbortController();
  const ask = (request: ServerRequest) =>
    desk.serverAsks({ server: 'weather', sessionId, callId: 'c1', signal: stop.signal }, request);
  const log = () => store.events.read(sessionId).filter(({ type }) => type.startsWith('server.'));
  const requestId = () => log().flatMap((event) => (event.type === 'server.asked' ? [event.requestId] : []))[0] ?? '';
  return { store, desk, sessionId, ask, log, requestId, stop };
}

describe('what a server asks', () => {
  it('is in the log of its session, which waits until the person has answered', async () => {
    const { store, desk, sessionId, ask, log, requestId } = open();
    store.sessions.update(sessionId, { state: 'running' });
    const answer = ask(FORM);
    expect(store.sessions.get(sessionId).state).toBe('waiting');
    desk.answerServer(requestId(), { action: 'accept', content: { name: 'Ann' } });
    expect(await answer).toEqual({ action: 'accept', content: { name: 'Ann', age: 30 } });
    expect(store.sessions.get(sessionId).state).toBe('running');
    expect(log()).toMatchObject([
      { type: 'server.asked', server: 'weather', callId: 'c1', request: FORM },
      { type: 'server.answered', by: 'person', answer: { action: 'accept' } },
    ]);
  });

  it('stays when it is not filled in right, and says which field', async () => {
    const { desk, ask, requestId } = open();
    const answer = ask(FORM);
    expect(() => desk.answerServer(requestId(), { action: 'accept', content: { name: 'x' } })).toThrow('"name"');
    desk.answerServer(requestId(), { action: 'decline' });
    expect(await answer).toEqual({ action: 'decline' });
  });

  it('can be answered once', async () => {
    const { desk, ask, requestId } = open();
    const answer = ask(FORM);
    desk.answerServer(requestId(), { action: 'cancel' });
    await answer;
    expect(() => desk.answerServer(requestId(), { action: 'cancel' })).toThrow('does not wait');
  });

  it('is taken back when the call that made it ask is over', async () => {
    const { ask, log, stop } = open();
    const answer = ask(FORM);
    stop.abort();
    expect(await answer).toEqual({ action: 'cancel' });
    expect(log().at(-1)).toMatchObject({ type: 'server.answered', by: 'end' });
  });

  it('is declined without asking when it wants a secret by form, and that is said', async () => {
    const { ask, log } = open();
    const schema = { type: 'object', properties: { api_key: { type: 'string', title: 'API key' } } };
    expect(await ask({ kind: 'form', message: 'Key?', schema })).toEqual({ action: 'decline' });
    expect(log().at(-1)).toMatchObject({
      type: 'server.answered',
      by: 'rule',
      reason: expect.stringContaining('"API key" by form') as string,
    });
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'not an address'])('is declined when it is %s', async (url) => {
    const { ask } = open();
    expect(await ask({ kind: 'url', message: 'Open', url })).toEqual({ action: 'decline' });
  });

  it('is answered by nobody where nobody is', async () => {
    const { ask, log } = open(false);
    expect(await ask(FORM)).toEqual({ action: 'cancel' });
    expect(log()).toHaveLength(2);
  });
});
