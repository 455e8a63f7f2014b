import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/index.ts';
import { describeCall, opensByItself } from '../../../src-renderer/timeline/describe.ts';
import type { CallItem } from '../../../src-renderer/timeline/items.ts';

const builtin = (name: string, input: JsonObject) => describeCall({ name, input });
const served = (originalName: string, input: JsonObject, result?: CallItem['result']) =>
  describeCall({
    name: `mcp_s_${originalName}`,
    origin: { kind: 'server', server: 's', originalName },
    input,
    ...(result && { result }),
  });

describe('a step in one line', () => {
  it('names the command of a shell call, its first line when it has many', () => {
    expect(builtin('bash', { command: 'npm test' })).toMatchObject({
      verb: 'ran',
      object: 'npm test',
      body: 'terminal',
    });
    expect(builtin('bash', { command: 'cd a\nls' }).object).toBe('cd a …');
    expect(builtin('bash', { restart: true }).verb).toBe('restarted');
    expect(builtin('bash', { input: 'y\n' })).toMatchObject({ verb: 'typedInto', object: '"y\\n"' });
  });

  it('names the file of an edit by what was done to it', () => {
    const path = 'a.ts';
    expect(builtin('str_replace_editor', { command: 'view', path })).toMatchObject({ verb: 'viewed', body: 'file' });
    expect(builtin('str_replace_editor', { command: 'create', path })).toMatchObject({ verb: 'created', object: path });
    expect(builtin('str_replace_editor', { command: 'str_replace', path }).verb).toBe('edited');
    expect(builtin('str_replace_editor', { command: 'undo_edit', path }).verb).toBe('undid');
  });

  it('says in words what a browser tool did, and on which page', () => {
    const result = {
      content: [{ type: 'text' as const, text: '- Page URL: http://127.0.0.1:5173/tides' }],
      isError: false,
    };
    expect(served('browser_take_screenshot', {}, result)).toMatchObject({
      verb: 'screenshot',
      object: '127.0.0.1:5173/tides',
    });
    expect(served('browser_navigate', { url: 'https://a.example/' })).toMatchObject({
      verb: 'opened',
      object: 'a.example',
    });
  });

  it('shows any other tool as a call with its values', () => {
    expect(served('add', { a: 1, b: { c: 2 } })).toMatchObject({
      verb: 'called',
      object: 'add(1, {…})',
      body: 'generic',
    });
  });

  it('survives input of the wrong shape', () => {
    expect(builtin('bash', { command: 5 }).object).toBe('5');
    expect(builtin('str_replace_editor', {}).object).toBe('');
    expect(builtin('python_execute', { code: null }).object).toBe('');
  });
});

describe('a step stands open by itself', () => {
  const call = (state: CallItem['state'], body: 'generic' | 'terminal'): boolean => {
    const item: CallItem = {
      kind: 'call',
      id: 'c',
      callId: 'c',
      seq: 1,
      at: 1,
      step: 1,
      name: 'x',
      input: {},
      state,
      output: 'some',
      edits: [],
    };
    return opensByItself(item, { icon: 'tool', verb: 'called', object: '', body });
  };

  it('when it failed or has output to read, and not when it was denied', () => {
    expect(call('failed', 'generic')).toBe(true);
    expect(call('done', 'terminal')).toBe(true);
    expect(call('done', 'generic')).toBe(false);
    expect(call('denied', 'terminal')).toBe(false);
  });
});
