import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApp, type App } from '../../../src-main/app.ts';
import { settings as settingsSchema, toolResult, toText, type JsonObject } from '../../../src-shared/index.ts';
import { commandLine } from '../../fixtures/cli.ts';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { programFiles } from '../../fixtures/program-files.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';

interface Bench {
  app: App;
  sessionId: string;
  workspace: string;
  /** One call by the agent. */
  run(input: JsonObject, callId?: string): Promise<string>;
}

async function open(python: JsonObject = {}): Promise<Bench> {
  const [home, workspace] = [temporaryFolder(), temporaryFolder()];
  const app = await createApp({
    ...{ version: '0.0.0', home, workspace, canAsk: () => true, env: process.env, files: programFiles },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  app.store.settings.set(settingsSchema.parse({ python }));
  const { id: sessionId } = app.store.sessions.create({ title: '', workspace, origin: 'window' });
  return {
    ...{ app, sessionId, workspace },
    async run(input, callId) {
      const caller = { kind: 'agent', runId: 'run' } as const;
      const { signal } = new AbortController();
      const call = { sessionId, caller, name: 'python_execute', input, signal };
      return toText(await app.gateway.call({ ...call, ...(callId !== undefined && { callId }) }));
    },
  };
}

describe.skipIf(!hasBubblewrap)('Python in the whole core (needs bubblewrap)', () => {
  it('has what it did to files recorded, and all of it can be taken back', async () => {
    const { app, sessionId, workspace, run } = await open();
    writeFileSync(path.join(workspace, 'changed.txt'), 'before');
    writeFileSync(path.join(workspace, 'removed.txt'), 'still here');
    const code = `
import os
open("made.txt", "w").write("new")
open("changed.txt", "w").write("after")
os.remove("removed.txt")`;
    const said = await run({ code }, 'call-1');
    expect(said).toMatch(
      /Files of the workspace that changed: (?=[^]*made\.txt \(new\))(?=[^]*removed\.txt \(removed\))/,
    );
    expect(await run({ code: '1' }, 'call-2')).not.toContain('that changed');
    const edits = app.history.list({ sessionId, callId: 'call-1' });
    expect(edits.map(({ path: file }) => path.basename(file)).toSorted()).toEqual([
      'changed.txt',
      'made.txt',
      'removed.txt',
    ]);
    const actor = { sessionId, tool: 'undo', caller: { kind: 'person' } as const };
    expect((await app.history.revert({ callId: 'call-1' }, 'undo', actor)).left).toEqual([]);
    expect(existsSync(path.join(workspace, 'made.txt'))).toBe(false);
    expect(readFileSync(path.join(workspace, 'changed.txt'), 'utf8')).toBe('before');
    expect(readFileSync(path.join(workspace, 'removed.txt'), 'utf8')).toBe('still here');
  });

  it('tells the model what holds here, not what could be anywhere, also when a setting changes', async () => {
    const { app, run } = await open();
    await run({ code: '1' });
    const description = (): string | undefined => app.collection.find('python_execute')?.description;
    expect(description()).toContain('read and write files there');
    expect(description()).not.toContain('Pyodide');
    app.store.settings.set(settingsSchema.parse({ python: { workspace: 'read-only', network: ['data.example'] } }));
    expect(description()).toContain('READ-ONLY');
    expect(description()).toContain('data.example');
  });

  it('runs unasked, but asks before packages are installed; a no installs nothing', async () => {
    const { app, sessionId, run } = await open({ packageHosts: ['allowed.example'], interpreter: '/usr/bin/python3' });
    expect(await run({ code: '1 + 1' })).toBe('2');
    if ((await app.describePython()).noPackages !== undefined) return;
    const answer = run({ code: '1', packages: ['some-thing==1.0'] });
    const asked = await waitFor(() =>
      app.store.events.read(sessionId).find((event) => event.type === 'approval.requested'),
    );
    if (asked.type !== 'approval.requested') throw new Error('nothing was asked');
    expect(asked.reason).toBe('It installs some-thing==1.0 from allowed.example for this session.');
    app.desk.answerApproval(asked.approvalId, { decision: 'deny' });
    expect(await answer).toContain('The person said no');
    expect(existsSync(path.join(app.store.home, 'python-packages', sessionId))).toBe(false);
  });

  it('does not even ask for what is an option of pip and no name', async () => {
    const { app, sessionId, run } = await open({ packageHosts: ['allowed.example'] });
    expect(await run({ code: '1', packages: ['--index-url=http://x'] })).toContain('packages');
    expect(app.store.events.read(sessionId).some((event) => event.type === 'approval.requested')).toBe(false);
  });

  it('forgets the variables of one session when the person says so', async () => {
    const { app, sessionId, run } = await open();
    await run({ code: 'a = 1', session: true });
    expect(await app.restartPython(sessionId)).toBe(true);
    expect(await run({ code: '"a" in globals()', session: true })).toContain('False');
    expect(await app.restartPython('another')).toBe(false);
  });
});

describe.skipIf(!hasBubblewrap)('what Python writes, by whatever way (needs bubblewrap)', () => {
  it('reaches the result, and never the output of the program itself', async () => {
    const code = `
import ctypes, os, subprocess, sys
print("NOISE by print")
os.write(2, b"NOISE by descriptor\\n")
subprocess.run(["sh", "-c", "echo NOISE by a child; echo NOISE by its errors >&2"])
ctypes.CDLL(None).puts(b"NOISE by C")
ctypes.CDLL(None).fflush(None)
for path in ("/dev/tty", "/dev/console", "/proc/self/fd/0", "/proc/1/fd/1", "/proc/1/fd/2"):
    try:
        open(path, "w").write("ESCAPED")
    except OSError:
        pass`;
    const { stdout, stderr } = await commandLine().run('call', 'python_execute', JSON.stringify({ code }), '--json');
    // One JSON text, and nothing beside it.
    const said = toText(toolResult.parse(JSON.parse(stdout)));
    expect(said.match(/NOISE/g)).toHaveLength(5);
    expect(stdout + stderr).not.toContain('ESCAPED');
    expect(stderr).not.toContain('NOISE');
  });
});
