import { describe, expect, it } from 'vitest';
import type { RequestOrigin, ServerHost } from '../../../src-main/mcp/client/index.ts';
import type { JsonObject, ServerAnswer, ServerRequest } from '../../../src-shared/index.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { call, openServers, scripted } from './setup.ts';

const FORM = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Which colour?',
    requestedSchema: { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] },
  },
};
const LINK = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Sign in.', url: 'https://example.org/in', elicitationId: 'e1' },
};
const QUESTION = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi?' } }], maxTokens: 10 },
};

/** A host that answers every request alike, and remembers what was asked. */
function hostThat(answer: ServerAnswer | ((signal: AbortSignal) => Promise<ServerAnswer>)) {
  const asked: { request: ServerRequest; origin: RequestOrigin }[] = [];
  const host: ServerHost = {
    ask(request, origin) {
      asked.push({ request, origin });
      return typeof answer === 'function' ? answer(origin.signal) : Promise.resolve(answer);
    },
    sample: ({ messages }) => Promise.resolve({ model: 'm', text: `You said ${messages[0]?.text ?? ''}` }),
    roots: () => [{ uri: 'file:///work', name: 'work' }],
  };
  return { host, asked };
}

async function answered(server: string, request: JsonObject, options: { host?: ServerHost; allow?: string[] }) {
  const { servers } = openServers(undefined, options.host && { host: options.host });
  await servers.attach('asking', { ...scripted(server), ...(options.allow && { allow: options.allow }) });
  const result = await call(servers, 'ask', { request });
  return JSON.parse((result.content[0] as { text: string }).text) as unknown;
}

const eras = [
  ['asking', 'of the older protocol'],
  ['asking-modern', 'of 2026-07-28'],
] as const;

describe.each(eras)('a server (%s, %s) that asks in the middle of a call', (server) => {
  it('gets what the person filled in, and the person sees who asks on whose account', async () => {
    const { host, asked } = hostThat({ action: 'accept', content: { colour: 'red' } });
    expect(await answered(server, FORM, { host })).toEqual({ action: 'accept', content: { colour: 'red' } });
    expect(asked).toMatchObject([
      {
        request: { kind: 'form', message: 'Which colour?', schema: FORM.params.requestedSchema },
        origin: { server: 'asking', call: { sessionId: 'session', callId: 'call' } },
      },
    ]);
  });

  it('hears a no, and that nobody said anything', async () => {
    expect(await answered(server, FORM, hostThat({ action: 'decline' }))).toEqual({ action: 'decline' });
    expect(await answered(server, FORM, hostThat({ action: 'cancel' }))).toEqual({ action: 'cancel' });
  });

  it('may ask for a page to be opened', async () => {
    const { host, asked } = hostThat({ action: 'accept' });
    expect(await answered(server, LINK, { host })).toEqual({ action: 'accept' });
    expect(asked[0]?.request).toEqual({ kind: 'url', message: 'Sign in.', url: 'https://example.org/in' });
  });

  it('gets an answer of the model only where that is allowed, and after a yes', async () => {
    const { host, asked } = hostThat({ action: 'accept' });
    expect(await answered(server, QUESTION, { host, allow: ['sampling'] })).toMatchObject({
      model: 'm',
      content: { type: 'text', text: 'You said Hi?' },
    });
    expect(asked[0]?.request).toMatchObject({ kind: 'sampling', message: 'Hi?' });
  });

  it('gets the workspace as a root only where that is allowed', async () => {
    const { host } = hostThat({ action: 'cancel' });
    expect(await answered(server, { method: 'roots/list' }, { host, allow: ['roots'] })).toEqual({
      roots: [{ uri: 'file:///work', name: 'work' }],
    });
  });
});

describe('what is not allowed', () => {
  it('is refused to a server of the older protocol, which was told so beforehand', async () => {
    const { host } = hostThat({ action: 'accept' });
    expect(await answered('asking', QUESTION, { host })).toMatchObject({ code: -32_601 });
    expect(await answered('asking', { method: 'roots/list' }, { host })).toMatchObject({ code: -32_601 });
  });

  it('ends the call of a server of 2026-07-28 with the key that would allow it', async () => {
    const { host } = hostThat({ action: 'accept' });
    await expect(answered('asking-modern', QUESTION, { host })).rejects.toMatchObject({
      code: 'refused',
      hint: expect.stringContaining('"allow": ["sampling"]') as string,
    });
  });
});

describe('while a person is asked', () => {
  const slowly = async (signal: AbortSignal): Promise<ServerAnswer> => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    return { action: signal.aborted ? 'cancel' : 'decline' };
  };

  it.each(eras)('the time of the call stands still (%s, %s)', async (server) => {
    const { servers } = openServers(undefined, {
      host: hostThat(slowly).host,
      limits: { callIdleMs: 150, callTotalMs: 300 },
    });
    await servers.attach('asking', scripted(server));
    expect(await call(servers, 'ask', { request: FORM })).toMatchObject({ isError: false });
  });

  it.each(eras)('a stop of the call takes the question away (%s, %s)', async (server) => {
    const withdrawn = Promise.withResolvers<ServerAnswer>();
    const untilStopped = (signal: AbortSignal): Promise<ServerAnswer> => {
      signal.addEventListener('abort', () => withdrawn.resolve({ action: 'cancel' }));
      return withdrawn.promise;
    };
    const { host, asked } = hostThat(untilStopped);
    const { servers } = openServers(undefined, { host });
    await servers.attach('asking', scripted(server));
    const stop = new AbortController();
    const running = call(servers, 'ask', { request: FORM }, { signal: stop.signal });
    const caught = expect(running).rejects.toMatchObject({ code: 'cancelled' });
    await waitFor(() => asked.length === 1);
    stop.abort();
    await caught;
    expect(await withdrawn.promise).toEqual({ action: 'cancel' });
  });
});

describe('a call that wants a page to be opened first', () => {
  async function callIt(action: ServerAnswer['action']) {
    const { host, asked } = hostThat({ action });
    const { servers } = openServers(undefined, { host });
    await servers.attach('asking', scripted('asking'));
    return { asked, result: await call(servers, 'needs_page') };
  }

  it('fails with what the person did, and is not repeated by itself', async () => {
    const { asked, result } = await callIt('accept');
    expect(asked.map(({ request }) => request)).toEqual([
      { kind: 'url', message: 'Sign in.', url: 'https://example.org/in' },
    ]);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('call again') as string }],
    });
  });

  it('fails with the no of the person', async () => {
    const { result } = await callIt('decline');
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('did not') as string }] });
  });
});

describe('a server that asks by itself', () => {
  it('is answered, and no call is named', async () => {
    const { host, asked } = hostThat({ action: 'decline' });
    const { servers } = openServers(undefined, { host });
    await servers.attach('asking', scripted('asking'));
    await call(servers, 'ask', { request: FORM, later: true });
    await waitFor(() => asked.length === 1);
    await waitFor(async () => JSON.stringify(await call(servers, 'last_answer')).includes('decline'));
    expect(asked[0]?.origin.call).toBeUndefined();
  });

  it('asks on no account when calls of two sessions run', async () => {
    const both = Promise.withResolvers<ServerAnswer>();
    const { host, asked } = hostThat(() => both.promise);
    const { servers } = openServers(undefined, { host });
    await servers.attach('asking', scripted('asking'));
    const one = call(servers, 'ask', { request: FORM }, { sessionId: 'one' });
    await waitFor(() => asked.length === 1);
    const two = call(servers, 'ask', { request: FORM }, { sessionId: 'two' });
    await waitFor(() => asked.length === 2);
    both.resolve({ action: 'decline' });
    await Promise.all([one, two]);
    expect(asked.map(({ origin }) => origin.call?.sessionId)).toEqual(['one', undefined]);
  });
});

describe('a server where nobody can be asked', () => {
  it('is told that asking is not supported', async () => {
    expect(await answered('asking', FORM, {})).toMatchObject({ code: -32_601 });
  });

  it('of 2026-07-28 that asks all the same ends its call with a sentence', async () => {
    await expect(answered('asking-modern', FORM, {})).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('a server of 2026-07-28', () => {
  it('that asks without end is given up', async () => {
    const { servers } = openServers(undefined, { host: hostThat({ action: 'accept', content: { colour: 'x' } }).host });
    await servers.attach('asking', scripted('asking-modern'));
    await expect(call(servers, 'ask', { request: FORM, rounds: 100 })).rejects.toMatchObject({ code: 'protocol' });
  });

  it('may ask several times', async () => {
    const { host, asked } = hostThat({ action: 'accept', content: { colour: 'x' } });
    const { servers } = openServers(undefined, { host });
    await servers.attach('asking', scripted('asking-modern'));
    await call(servers, 'ask', { request: FORM, rounds: 3 });
    expect(asked).toHaveLength(3);
  });
});
