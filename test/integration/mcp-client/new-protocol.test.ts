import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { everyPart } from '../../fixtures/tools.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { call, openServers, scripted, toolOf } from './setup.ts';

/** Causeway's own endpoint over stdio: a server that speaks 2026-07-28. */
function causeway(): Parameters<ReturnType<typeof openServers>['servers']['attach']>[1] {
  const file = path.resolve(import.meta.dirname, '../../fixtures/endpoint-stdio.ts');
  return { command: process.execPath, args: [file, temporaryFolder()], env: {}, disabled: false };
}

describe('a server of the new protocol', () => {
  it('is found out by one question, in the same process', async () => {
    const { servers, folder } = openServers();
    const view = await servers.attach('causeway', causeway());
    expect(view).toMatchObject({ state: 'ready', serverInfo: { name: 'causeway' } });
    // Only those of the old protocol are remembered.
    expect(existsSync(path.join(folder, 'run', 'server-eras.json'))).toBe(false);
  });

  it('gives definitions, results and progress as it does to any client', async () => {
    const { servers } = openServers();
    await servers.attach('causeway', causeway());
    expect(toolOf(servers, 'echo')).toMatchObject({
      title: 'Echo',
      outputSchema: { required: ['input'] },
      meta: { 'example.org/group': { order: 1 } },
    });
    const { content, structuredContent } = await call(servers, 'parts');
    expect(content.slice(0, everyPart.length)).toEqual(everyPart);
    expect(structuredContent).toEqual({ n: 1, deep: { list: [null, 'x'] } });
    const seen: unknown[] = [];
    const output = { write: () => undefined, progress: (progress: unknown) => void seen.push(progress) };
    await call(servers, 'steps', {}, { output });
    expect(seen).toContainEqual({ progress: 1, total: 3, message: 'step 1' });
  });

  it('hears that a call was stopped', async () => {
    const { servers } = openServers();
    await servers.attach('causeway', causeway());
    const stop = new AbortController();
    const running = call(servers, 'hang', {}, { signal: stop.signal });
    const caught = expect(running).rejects.toMatchObject({ code: 'cancelled' });
    stop.abort();
    await caught;
    await waitFor(async () => !(await call(servers, 'echo', { n: 1 })).isError);
  });
});

describe('what is odd', () => {
  it('on the new protocol costs nothing beside it either: not the other tools, not the other parts of a result', async () => {
    const { servers } = openServers();
    const view = await servers.attach('odd', scripted('odd-modern'));
    expect(view).toMatchObject({ state: 'ready', tools: [{ originalName: 'fine' }, { originalName: 'odd schema' }] });
    expect((await call(servers, 'fine')).content).toEqual([
      { type: 'text', text: 'first' },
      { type: 'text', text: '{"type":"hologram","beams":3}' },
      { type: 'text', text: 'last' },
    ]);
  });
});
