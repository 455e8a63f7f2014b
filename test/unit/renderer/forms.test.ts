import { describe, expect, it } from 'vitest';
import {
  fileParts,
  firstChoice,
  isSecretName,
  recordToRows,
  rowsToRecord,
  wrongNames,
} from '../../../src-renderer/servers/adding.ts';
import { folderNames } from '../../../src-renderer/settings/folder-names.ts';
import { draftToInput, inputToDraft, schemaFields } from '../../../src-renderer/tools/schema-fields.ts';

describe('adding servers', () => {
  it('chooses what is new, and gives a free name to what has one that is taken', () => {
    const proposals = [
      { name: 'git', status: 'clash' as const },
      { name: 'notes', status: 'new' as const },
      { name: 'same', status: 'same' as const },
      { name: 'notes', status: 'new' as const },
    ];
    expect(firstChoice(proposals, ['git', 'same'])).toEqual([
      { chosen: true, name: 'git-2' },
      { chosen: true, name: 'notes' },
      { chosen: false, name: 'same' },
      { chosen: true, name: 'notes-2' },
    ]);
  });

  it('says which names stand in the way', () => {
    const wanted = [
      { chosen: true, name: 'git' },
      { chosen: true, name: ' ' },
      { chosen: true, name: 'a' },
      { chosen: true, name: 'a' },
      { chosen: false, name: 'git' },
    ];
    expect([...wrongNames(wanted, ['git'])]).toEqual(['git', '', 'a']);
  });

  it('takes variables row by row', () => {
    expect(
      rowsToRecord([
        { name: ' A ', value: '1' },
        { name: '', value: 'x' },
        { name: 'B', value: '' },
      ]),
    ).toEqual({
      A: '1',
      B: '',
    });
    expect(recordToRows({ A: '1' })).toEqual([{ name: 'A', value: '1' }]);
    expect(['API_KEY', 'Authorization', 'PATH'].map(isSecretName)).toEqual([true, true, false]);
  });

  it('sends a file in parts', async () => {
    const file = new Blob(['x'.repeat(2_000_000)]);
    const parts = [];
    for await (const part of fileParts(file)) parts.push(part);
    expect(parts.map(({ last }) => last)).toEqual([false, true]);
    expect(parts.map(({ data }) => atob(data)).join('')).toBe('x'.repeat(2_000_000));
  });
});

describe('a form from a schema', () => {
  const fields = schemaFields({
    type: 'object',
    properties: {
      command: { type: 'string', description: 'What to run' },
      timeout: { type: ['number', 'null'], default: 120 },
      background: { type: 'boolean' },
      mode: { enum: ['a', 'b'] },
      paths: { type: 'array', items: { type: 'string' } },
      options: { type: 'object' },
    },
    required: ['command'],
  });

  it('has a fitting field for each property', () => {
    expect(fields.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'command text',
      'timeout number',
      'background boolean',
      'mode choice',
      'paths list',
      'options json',
    ]);
    expect(fields[0]).toMatchObject({ required: true, description: 'What to run' });
    expect(fields[1]).toMatchObject({ required: false, initial: '120' });
  });

  it('gives typed values and leaves out what is empty', () => {
    const draft = { command: 'ls', timeout: '5', background: 'false', mode: '', paths: 'a\nb', options: '{"x":1}' };
    const input = { command: 'ls', timeout: 5, background: false, paths: ['a', 'b'], options: { x: 1 } };
    expect(draftToInput(fields, draft)).toEqual({ ok: true, input });
  });

  it('names the problem of each wrong field', () => {
    expect(draftToInput(fields, { timeout: 'soon', options: '{' })).toEqual({
      ok: false,
      problems: { command: 'required', timeout: 'number', options: 'json' },
    });
  });

  it('shows an input again as it was typed', () => {
    const input = { command: 'ls', timeout: 5, background: true, paths: ['a', 'b'], options: { x: 1 } };
    expect(draftToInput(fields, inputToDraft(fields, input))).toEqual({ ok: true, input });
  });

  it('is empty for a schema without properties', () => {
    expect(schemaFields({ type: 'object' })).toEqual([]);
    expect(schemaFields({ properties: 'odd' })).toEqual([]);
  });
});

describe('names of folders, one a line', () => {
  it('are taken without spaces around them, slashes at their ends, empty lines and repetitions', () => {
    expect(folderNames(' .git \n\nnode_modules/\nmy folder\n.git\n')).toEqual({
      names: ['.git', 'node_modules', 'my folder'],
    });
    expect(folderNames('')).toEqual({ names: [] });
  });

  it('are no paths, not too long, and not too many', () => {
    expect(folderNames('a\nsrc/b').problem).toBe('src/b');
    expect(folderNames('a\nsrc\\b').problem).toBe('src\\b');
    expect(folderNames('x'.repeat(256)).problem).toHaveLength(256);
    const many = Array.from({ length: 201 }, (_, index) => `f${index}`);
    expect(folderNames(many.join('\n')).problem).toBe('f200');
    expect(folderNames(many.slice(1).join('\n')).problem).toBeUndefined();
  });
});
