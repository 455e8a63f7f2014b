import { describe, expect, it } from 'vitest';
import { parsePairs, parseServers, serverTarget } from '../../../src-renderer/servers/parse-servers.ts';
import { folderNames } from '../../../src-renderer/settings/folder-names.ts';
import { draftToInput, inputToDraft, schemaFields } from '../../../src-renderer/tools/schema-fields.ts';

describe('servers from pasted JSON', () => {
  const stdio = '{ "command": "npx", "args": ["-y", "x"] }';

  it('are read as Claude Desktop, VS Code and READMEs write them', () => {
    for (const text of [
      `{ "mcpServers": { "a": ${stdio} } }`,
      `{ "servers": { "a": ${stdio} } }`,
      `{ "a": ${stdio} }`,
    ]) {
      const parsed = parseServers(text);
      expect(parsed).toMatchObject({
        ok: true,
        servers: [{ name: 'a', config: { command: 'npx', args: ['-y', 'x'] } }],
      });
      if (parsed.ok && parsed.servers[0]) expect(serverTarget(parsed.servers[0].config)).toBe('npx -y x');
    }
  });

  it('may have comments and trailing commas', () => {
    expect(parseServers(`{ // mine\n "a": ${stdio}, }`)).toMatchObject({ ok: true });
  });

  it('may be behind an address', () => {
    const parsed = parseServers('{ "a": { "url": "https://x.example/mcp" } }');
    expect(parsed.ok && parsed.servers[0] && serverTarget(parsed.servers[0].config)).toBe('https://x.example/mcp');
  });

  it('are refused with what is wrong', () => {
    expect(parseServers('{ "a": ')).toEqual({ ok: false, problem: 'json' });
    expect(parseServers('[]')).toEqual({ ok: false, problem: 'shape' });
    expect(parseServers('{ "command": "npx" }')).toEqual({ ok: false, problem: 'shape' });
    expect(parseServers('{ "mcpServers": {} }')).toEqual({ ok: false, problem: 'empty' });
    expect(parseServers('{ "a": { "url": "ftp://x" } }')).toEqual({ ok: false, problem: 'server', name: 'a' });
  });

  it('take their variables line by line', () => {
    expect(parsePairs('A=1\n\nB=x=y\nC', '=')).toEqual({ A: '1', B: 'x=y', C: '' });
    expect(parsePairs('Authorization: Bearer a:b', ':')).toEqual({ Authorization: 'Bearer a:b' });
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
