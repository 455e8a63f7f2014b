import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/index.ts';
import type { CallItem } from '../../../src-renderer/timeline/items.ts';
import { liveShells, shellSandbox, shellWait } from '../../../src-renderer/timeline/live-shells.ts';

let made = 0;

/** A call of the shell tool, with what it came back with; without, it runs. */
function shell(input: JsonObject, result?: JsonObject): CallItem {
  made += 1;
  return {
    ...{ kind: 'call', id: `c${made}`, callId: `c${made}`, seq: made, at: made, step: made, name: 'bash', input },
    ...{ state: result ? 'done' : 'running', output: '', edits: [] },
    ...(result && { result: { content: [], isError: false, structuredContent: result } }),
  };
}

describe('the steps whose commands may still run', () => {
  it('are the one that runs, and the last one that went on', () => {
    const waiting = shell({ command: 'cat' }, { state: 'waiting' });
    expect([...liveShells([shell({ command: 'ls' }, { state: 'ended' }), waiting])]).toEqual([[waiting.callId, {}]]);
    const running = shell({ input: 'x' });
    expect([...liveShells([waiting, running]).keys()]).toEqual([running.callId]);
  });

  it('are none once the command ended, the shell with it, or the shell was restarted', () => {
    for (const state of ['ended', 'shell-ended', 'restarted', 'cancelled']) {
      expect(liveShells([shell({ command: 'cat' }, { state: 'running' }), shell({}, { state })]).size).toBe(0);
    }
  });

  it('are those of jobs beside the shell, each by the step that looked last', () => {
    const started = shell({ command: 'serve', background: true }, { state: 'running', job: '1' });
    const other = shell({ command: 'watch', background: true }, { state: 'running', job: '2' });
    const looked = shell({ job: '1' }, { state: 'running', job: '1' });
    const stopped = shell({ job: '2', stop: true }, { state: 'ended', job: '2' });
    const typing = shell({ command: 'cat' }, { state: 'waiting' });
    expect(liveShells([started, other, typing, looked, stopped])).toEqual(
      new Map([
        [looked.callId, { job: '1' }],
        [typing.callId, {}],
      ]),
    );
  });

  it("are never another server's tool that is called bash", () => {
    const foreign: CallItem = {
      ...shell({ command: 'x' }),
      origin: { kind: 'server', server: 's', originalName: 'bash' },
    };
    expect(liveShells([foreign]).size).toBe(0);
  });
});

describe('what a step says of its shell', () => {
  it('names the program without its folder, and whether typing is hidden', () => {
    const running = { pid: 7, command: '/usr/bin/python3 -q /tmp/x.py', reads: 'yes' };
    expect(shellWait(shell({}, { state: 'waiting', running, typing: 'program' }))).toEqual({
      ...{ waits: true, program: 'python3 -q /tmp/x.py', hidden: false },
    });
    expect(shellWait(shell({}, { state: 'waiting', typing: 'hidden' }))).toMatchObject({ hidden: true });
  });

  it('names the sandbox with its network, also as a list of hosts', () => {
    const of = (sandbox: JsonObject): unknown => shellSandbox(shell({}, { state: 'ended', sandbox }));
    expect(of({ policy: 'off', network: 'on' })).toEqual({ policy: 'off', network: 'on' });
    expect(of({ policy: 'read-only', network: ['a.example'] })).toEqual({
      policy: 'read-only',
      network: ['a.example'],
    });
    expect(of({ policy: 'unheard-of' })).toBeUndefined();
  });
});
