import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenForCallback, type CallbackListener } from '../../../src-main/mcp/client/auth/callback.ts';

const STATE = 'the-right-state';

async function listening(wanted?: URL): Promise<CallbackListener> {
  const listener = await listenForCallback(STATE, wanted);
  onTestFinished(() => listener[Symbol.dispose]());
  return listener;
}

interface Answer {
  status: number;
  text: string;
  headers: IncomingHttpHeaders;
}

/** A request as any program of this machine can make it: `fetch` would not forge a host. */
async function ask(
  url: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const sent = request(url, { method, headers });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return { status: response.statusCode ?? 0, text, headers: response.headers };
}

describe('where the browser comes back to', () => {
  it('takes the answer with the right state, and shows how it ended in the language of the browser', async () => {
    for (const [language, words] of [
      ['en-GB', 'You are signed in'],
      ['zh-CN,zh;q=0.9', '登录成功'],
    ] as const) {
      const { redirectUrl, callback } = await listening();
      const page = ask(`${redirectUrl}?code=c&state=${STATE}&iss=x`, { headers: { 'accept-language': language } });
      const { params, answer } = await callback;
      expect(Object.fromEntries(params)).toEqual({ code: 'c', state: STATE, iss: 'x' });
      answer('done');
      expect(await page).toMatchObject({ status: 200, text: expect.stringContaining(words) });
    }
  });

  const hostile: [string, (redirectUrl: string) => Promise<Answer>][] = [
    ['no state', (url) => ask(`${url}?code=c`)],
    ['a wrong state', (url) => ask(`${url}?code=c&state=the-wrong-state`)],
    ['two states', (url) => ask(`${url}?code=c&state=${STATE}&state=other`)],
    ['two codes', (url) => ask(`${url}?code=c&code=d&state=${STATE}`)],
    ['a code and an error', (url) => ask(`${url}?code=c&error=x&state=${STATE}`)],
    ['neither code nor error', (url) => ask(`${url}?state=${STATE}`)],
    ['another path', (url) => ask(`${url}/else?code=c&state=${STATE}`)],
    ['a form', (url) => ask(`${url}?code=c&state=${STATE}`, { method: 'POST' })],
    [
      'the name of another host',
      (url) => ask(`${url}?code=c&state=${STATE}`, { headers: { host: 'rebound.example' } }),
    ],
  ];
  it.each(hostile)('refuses %s, says nothing of it, and goes on waiting', async (_title, attack) => {
    const { redirectUrl, callback } = await listening();
    const refused = await attack(redirectUrl);
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('Nobody waits for this') });
    expect(refused.text).not.toContain('state');
    const page = ask(`${redirectUrl}?code=right&state=${STATE}`);
    const { params, answer } = await callback;
    expect(params.get('code')).toBe('right');
    answer('done');
    await page;
  });

  it('takes one answer only', async () => {
    const { redirectUrl, callback } = await listening();
    const first = ask(`${redirectUrl}?code=c&state=${STATE}`);
    const { answer } = await callback;
    expect((await ask(`${redirectUrl}?code=d&state=${STATE}`)).status).toBe(400);
    answer('failed');
    expect(await first).toMatchObject({ status: 400, text: expect.stringContaining('did not work') });
  });

  it('runs no script, loads nothing, is not kept, and tells the next page nothing', async () => {
    const { redirectUrl } = await listening();
    const { headers, text } = await ask(`${redirectUrl}?x=<script>alert(1)</script>`);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(text).not.toContain('alert');
  });

  it('says when the wanted port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const wanted = new URL(`http://localhost:${(other.address() as AddressInfo).port}/back`);
    await expect(listenForCallback(STATE, wanted)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('listens no longer when it is disposed, and tells whoever waits', async () => {
    const listener = await listening();
    const ended = expect(listener.callback).rejects.toMatchObject({ code: 'cancelled' });
    listener[Symbol.dispose]();
    await ended;
    await expect(ask(listener.redirectUrl)).rejects.toThrow('ECONNREFUSED');
  });
});
