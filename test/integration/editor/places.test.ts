import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toText } from '../../../src-shared/index.ts';
import { createApprovals, createDesk } from '../../../src-main/approvals/index.ts';
import type { FileOperator } from '../../../src-main/operator/index.ts';
import { openStore } from '../../../src-main/store/index.ts';
import { createEditorTool } from '../../../src-main/tools/editor/index.ts';
import { createCollection, createGateway, createInputCheck } from '../../../src-main/tools/index.ts';
import { openDesk, type EditorDesk } from '../../fixtures/editor/desk.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

/** Every command, as it would be sent for a path. */
const COMMANDS = [
  { command: 'view' },
  { command: 'create', file_text: 'x', overwrite: true },
  { command: 'str_replace', old_str: 'outside', new_str: 'x' },
  { command: 'insert', insert_line: 0, insert_text: 'x' },
  { command: 'undo_edit' },
] as const;

/** Calls the editor through the real gateway, where nobody can be asked; the text of the answer. */
function throughGateway(desk: EditorDesk): (input: object) => Promise<string> {
  const store = openStore({ home: temporaryFolder() });
  onTestFinished(() => store[Symbol.dispose]());
  const { id: sessionId } = store.sessions.create({ title: '', workspace: desk.folder, origin: 'window' });
  const canAsk = (): boolean => false;
  const approvalDesk = createDesk({ events: store.events, sessions: store.sessions, canAsk });
  const gateway = createGateway({
    collection: createCollection([{ tools: () => [createEditorTool({ history: desk.opened.history })] }]),
    inputCheck: createInputCheck(),
    approvals: createApprovals({ mode: () => 'workspace', desk: approvalDesk, canAsk }),
    desk: approvalDesk,
    events: store.events,
    blobs: store.blobs,
    outputs: store.outputs,
    capBytes: () => 2000,
    operatorOf: () => Promise.resolve(desk.opened.operator),
  });
  return async (input) => {
    const signal = new AbortController().signal;
    const caller = { kind: 'agent', runId: 'run' } as const;
    return toText(await gateway.call({ sessionId, caller, name: 'str_replace_editor', input, signal }));
  };
}

describe('a place outside the workspace', () => {
  it.each(COMMANDS)('is not reached by $command without approval, by no way', async (input) => {
    const desk = await openDesk();
    const outside = temporaryFolder();
    const file = path.join(outside, 'f');
    writeFileSync(file, 'outside');
    symlinkSync(outside, path.join(desk.folder, 'door'));
    symlinkSync(file, path.join(desk.folder, 'link'));
    symlinkSync(path.join(outside, 'later'), path.join(desk.folder, 'dangling'));
    const call = throughGateway(desk);
    const up = path.relative(desk.folder, file);
    for (const way of [file, up, `./x/../${up}`, 'door/f', 'door/new/f', 'link', 'dangling']) {
      expect(await call({ ...input, path: way })).toContain('outside the workspace');
    }
    expect(existsSync(path.join(outside, 'later'))).toBe(false);
    expect(desk.opened.history.list()).toEqual([]);
  });
});

describe('an odd name', () => {
  it.each([
    ['a leading dash', '-rf'],
    ['a line break', 'one\ntwo'],
    ['255 bytes', `a${'ñ'.repeat(127)}`],
    ['emoji', '👩‍🚀🙂'],
    ['what a shell would run', '$(touch x) `y`; \'"'],
    ['spaces around', ' f '],
  ])('is a name like any other: %s', async (_what, name) => {
    const desk = await openDesk();
    await desk.edit({ command: 'create', path: name, file_text: 'one\n' });
    await desk.edit({ command: 'str_replace', path: name, old_str: 'one', new_str: 'two' });
    await desk.edit({ command: 'insert', path: name, insert_line: 1, insert_text: 'three' });
    expect(await desk.edit({ command: 'view', path: name })).toBe('     1\ttwo\n     2\tthree');
    await desk.edit({ command: 'undo_edit', path: name });
    expect(desk.text(name)).toBe('two\n');
  });

  it('that is too long is refused in a sentence', async () => {
    const desk = await openDesk();
    for (const input of COMMANDS.slice(0, 4)) {
      expect(await desk.fail({ ...input, path: 'n'.repeat(256) })).toContain('its name is too long');
    }
  });
});

describe('a file that vanishes in the middle of an edit', () => {
  it('stays gone, and the edit says so', async () => {
    const desk = await openDesk();
    const file = desk.put('f', 'one\n');
    const { files } = desk.opened.operator;
    const vanishing: FileOperator = {
      ...files,
      async read(...asked) {
        const bytes = await files.read(...asked);
        rmSync(file, { force: true });
        return bytes;
      },
    };
    const edit = { command: 'str_replace', path: 'f', old_str: 'one', new_str: 'two' };
    await expect(desk.call(edit, undefined, { files: vanishing })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('was changed by somebody else while it was being edited'),
    });
    expect(existsSync(file)).toBe(false);
    expect(desk.opened.history.list()).toEqual([]);
  });
});
