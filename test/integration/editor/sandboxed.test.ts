import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { settings as settingsSchema, toText, type JsonObject } from '../../../src-shared/index.ts';
import { createApp } from '../../../src-main/app.ts';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { buildFileWorker } from '../../fixtures/operator/operators.ts';
import { programFiles } from '../../fixtures/program-files.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';

/** The whole core, with edits by an agent in one session. */
async function open(
  settings: { shell: JsonObject; approvals?: JsonObject },
  { searchPath = process.env['PATH'] } = {},
) {
  const [home, workspace, outside] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const change = (to: typeof settings): void => void app.store.settings.set(settingsSchema.parse(to));
  const app = await createApp({
    ...{ version: '0.0.0', home, workspace, canAsk: () => true, env: { ...process.env, PATH: searchPath } },
    files: { ...programFiles, fileWorker: await buildFileWorker() },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  change(settings);
  const { id: sessionId } = app.store.sessions.create({ title: '', workspace, origin: 'window' });
  async function edit(input: JsonObject): Promise<string> {
    const { signal } = new AbortController();
    const call = {
      sessionId,
      caller: { kind: 'agent', runId: 'run' } as const,
      name: 'str_replace_editor',
      input,
      signal,
    };
    return toText(await app.gateway.call(call));
  }
  /** Answers the next question whether a call may go on. */
  async function answer(decision: 'allow_once' | 'deny'): Promise<void> {
    const answered = new Set<string>();
    const asked = await waitFor(() => {
      const events = app.store.events.read(sessionId);
      for (const event of events) if (event.type === 'approval.answered') answered.add(event.approvalId);
      return events.find((event) => event.type === 'approval.requested' && !answered.has(event.approvalId));
    });
    if (asked.type === 'approval.requested') app.desk.answerApproval(asked.approvalId, { decision });
  }
  return { app, sessionId, workspace, outside, change, edit, answer };
}

const create = (file: string, text = 'x'): JsonObject => ({ command: 'create', path: file, file_text: text });

describe.skipIf(!hasBubblewrap)('the editor while the shell is in a sandbox (needs bubblewrap)', () => {
  it('edits and takes back in the workspace as ever, and the person can take it back, too', async () => {
    const { app, sessionId, workspace, edit } = await open({ shell: { sandbox: 'workspace-write' } });
    await edit(create('file', 'one'));
    await edit({ command: 'str_replace', path: 'file', old_str: 'one', new_str: 'two' });
    expect(readFileSync(path.join(workspace, 'file'), 'utf8')).toBe('two');
    await edit({ command: 'undo_edit', path: 'file' });
    expect(readFileSync(path.join(workspace, 'file'), 'utf8')).toBe('one');
    const [created] = app.history.list({ sessionId }).slice(-1);
    await app.history.undo(created?.id ?? 0, { sessionId, caller: { kind: 'person' } });
    expect(existsSync(path.join(workspace, 'file'))).toBe(false);
  });

  it('writes outside what the person allowed, and nothing when nobody was asked', async () => {
    const { outside, change, edit, answer } = await open({ shell: { sandbox: 'workspace-write' } });
    const file = path.join(outside, 'file');
    const allowed = edit(create(file));
    await answer('allow_once');
    expect(await allowed).toContain('Created');
    const denied = edit(create(path.join(outside, 'denied')));
    await answer('deny');
    expect(await denied).toContain('The person said no');
    change({ shell: { sandbox: 'workspace-write' }, approvals: { mode: 'full' } });
    expect(await edit(create(path.join(outside, 'unasked')))).toContain('the yes of the person');
    change({ shell: { sandbox: 'off' }, approvals: { mode: 'full' } });
    expect(await edit(create(path.join(outside, 'free')))).toContain('Created');
  });

  it('changes nothing where the sandbox is read-only, takes nothing back either, and says the way out', async () => {
    const { workspace, change, edit } = await open({ shell: { sandbox: 'workspace-write' } });
    await edit(create('file', 'one'));
    change({ shell: { sandbox: 'read-only' } });
    for (const input of [create('other'), { command: 'undo_edit', path: 'file' }]) {
      expect(await edit(input)).toMatch(/cannot be changed.*Set "shell.sandbox" to "workspace-write"/);
    }
    expect(await edit({ command: 'view', path: 'file' })).toContain('one');
    expect(readFileSync(path.join(workspace, 'file'), 'utf8')).toBe('one');
  });
});

it('the editor refuses where the sandbox of the shell cannot be had', async () => {
  const { workspace, edit } = await open({ shell: { sandbox: 'workspace-write' } }, { searchPath: '/nowhere' });
  mkdirSync(path.join(workspace, 'folder'));
  writeFileSync(path.join(workspace, 'folder', 'file'), 'one');
  for (const input of [create('new'), { command: 'view', path: 'folder/file' }]) {
    expect(await edit(input)).toMatch(/Files must be edited in a sandbox.*set "shell.sandbox" to "off"/);
  }
});
