import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openConfigFile } from '../../../../src-main/mcp/client/config/config-file.ts';
import { parseConfig } from '../../../../src-main/mcp/client/config/parse-config.ts';
import { temporaryFolder } from '../../../fixtures/temporary.ts';

const COMMENTED = `{
    // what I work with
    "mcpServers": {
        "files": { "command": "npx", "args": ["-y", "files"] }, // the first
    },
    "other": [1, 2]
}
`;

/** The texts of the former versions, oldest first. */
function backupsOf(file: string): string[] {
  const folder = path.join(path.dirname(file), 'backups');
  const names = readdirSync(folder).sort();
  return names.map((name) => readFileSync(path.join(folder, name), 'utf8'));
}

describe('reading the config file', () => {
  it('takes a missing and an empty file for an empty config', () => {
    expect(openConfigFile(path.join(temporaryFolder(), 'none.json')).read()).toEqual({ entries: [], inputs: [] });
    expect(parseConfig(' \n', 'mcp.json')).toEqual({ entries: [], inputs: [] });
  });

  it('reads comments, trailing commas and keys it does not know', () => {
    const [entry] = parseConfig(COMMENTED.replace('"args"', '"mine": 1, "args"'), 'mcp.json').entries;
    expect(entry).toEqual({
      name: 'files',
      config: { command: 'npx', args: ['-y', 'files'], env: {}, disabled: false, mine: 1 },
    });
  });

  it.each([
    ['a wrong type inside', '{ "command": "x",\n "args": [1] }', 'line 3, column 11', 'args.0'],
    ['neither command nor URL', '{}', 'line 2, column 9', 'it needs a "command" or a "url"'],
    ['a URL of another kind', '{ "url": "ftp://x" }', 'line 2, column 18', 'url'],
    ['no object', '[]', 'line 2, column 9', 'it must be an object'],
  ])('names line and column of an entry with %s, and keeps the others', (_what, entry, place, words) => {
    const text = `{ "mcpServers": {\n "bad": ${entry},\n "good": { "url": "http://localhost" } } }`;
    const [bad, good] = parseConfig(text, 'mcp.json').entries;
    expect(bad).toMatchObject({ name: 'bad', problem: expect.stringContaining(place) as string });
    expect(bad).toMatchObject({ problem: expect.stringContaining(words) as string });
    expect(good).toMatchObject({ name: 'good', config: { url: 'http://localhost' } });
  });

  it('uses the last of two entries of one name, and says so', () => {
    const text = '{ "mcpServers": {\n "a": { "command": "x" },\n "a": { "command": "y" } } }';
    expect(parseConfig(text, 'mcp.json').entries).toEqual([
      expect.objectContaining({
        config: expect.objectContaining({ command: 'y' }) as unknown,
        note: expect.stringContaining('line 3') as string,
      }),
    ]);
  });

  it('says where a broken file is broken', () => {
    const { entries, problem } = parseConfig('{\n  "mcpServers": { "a": }\n}', 'mcp.json');
    expect(entries).toEqual([]);
    expect(problem).toBe('mcp.json is not valid JSON at line 2, column 24: value expected.');
  });
});

describe('changing the config file', () => {
  const config = { command: 'uvx', args: ['x'], env: {}, disabled: false };

  it('keeps comments, layout and other keys, and keeps the former file beside it', () => {
    const file = path.join(temporaryFolder(), 'mcp.json');
    writeFileSync(file, COMMENTED);
    const opened = openConfigFile(file);
    opened.add('new', config);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('// what I work with');
    expect(text).toContain('// the first');
    expect(text).toContain('"other": [1, 2]');
    expect(text).toContain('        "new": {\n            "command": "uvx",\n            "args": [\n');
    expect(text).not.toContain('disabled');
    expect(backupsOf(file)).toEqual([COMMENTED]);
    opened.remove('new');
    expect(opened.read().entries.map(({ name }) => name)).toEqual(['files']);
  });

  it('makes the file when there is none', () => {
    const file = path.join(temporaryFolder(), 'deep', 'mcp.json');
    openConfigFile(file).add('new', { url: 'https://example.org/mcp', headers: {}, disabled: false });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      mcpServers: { new: { url: 'https://example.org/mcp' } },
    });
    expect(existsSync(path.join(path.dirname(file), 'backups'))).toBe(false);
  });

  it('refuses to overwrite a broken file', () => {
    const file = path.join(temporaryFolder(), 'mcp.json');
    writeFileSync(file, '{ "mcpServers": ');
    expect(() => openConfigFile(file).add('new', config)).toThrow(/line 1, column 17/);
    expect(readFileSync(file, 'utf8')).toBe('{ "mcpServers": ');
  });

  it('refuses a name that is taken', () => {
    const file = path.join(temporaryFolder(), 'mcp.json');
    writeFileSync(file, COMMENTED);
    expect(() => openConfigFile(file).add('files', config)).toThrow(/already/);
  });

  it('writes through a link into somebody’s dotfiles', () => {
    const folder = temporaryFolder();
    const real = path.join(folder, 'real.json');
    const link = path.join(folder, 'mcp.json');
    writeFileSync(real, COMMENTED);
    symlinkSync(real, link);
    openConfigFile(link).add('new', config);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toContain('"new"');
  });

  it('keeps the last five versions, each with its time in its name', () => {
    const file = path.join(temporaryFolder(), 'mcp.json');
    const opened = openConfigFile(file);
    for (let number = 0; number < 8; number += 1) opened.add(`s${number}`, config);
    const kept = backupsOf(file);
    expect(kept).toHaveLength(5);
    expect(kept[0]).toContain('"s2"');
    expect(kept[4]).toContain('"s6"');
    expect(readdirSync(path.join(path.dirname(file), 'backups'))[0]).toMatch(/^mcp-\d{4}-\d\d-\d\dT[\d.-]+Z\.json$/);
  });

  it('changes only what differs in an entry: comments inside it stay', () => {
    const file = path.join(temporaryFolder(), 'mcp.json');
    const text = `{
  "mcpServers": {
    "files": {
      "command": "npx", // by npm
      "env": {
        "A": "1", // the first
        "B": "2"
      }
    }
  }
}
`;
    writeFileSync(file, text);
    openConfigFile(file).update('files', { command: 'npx', args: [], env: { A: '1', B: '3' }, disabled: true });
    expect(readFileSync(file, 'utf8')).toBe(
      text.replace('"2"', '"3"').replace('      }\n    }', '      },\n      "disabled": true\n    }'),
    );
    openConfigFile(file).update('files', { command: 'npx', args: [], env: { A: '1', B: '2' }, disabled: false });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('renames an entry at its place', () => {
    const file = path.join(temporaryFolder(), 'mcp.json');
    writeFileSync(file, COMMENTED);
    openConfigFile(file).rename('files', 'my "files"');
    expect(readFileSync(file, 'utf8')).toBe(COMMENTED.replace('"files":', '"my \\"files\\"":'));
    expect(() => openConfigFile(file).rename('files', 'x')).toThrow(/no server named "files"/);
  });

  it('removes an entry that stands twice, and refuses to guess which one to change', () => {
    const file = path.join(temporaryFolder(), 'mcp.json');
    writeFileSync(
      file,
      '{ "mcpServers": { "a": { "command": "x" }, "a": { "command": "y" }, "b": { "command": "z" } } }',
    );
    expect(() => openConfigFile(file).update('a', config)).toThrow(/twice/);
    openConfigFile(file).remove('a');
    expect(
      openConfigFile(file)
        .read()
        .entries.map(({ name }) => name),
    ).toEqual(['b']);
  });

  it('adds what inputs ask for once, and all servers or none', () => {
    const file = path.join(temporaryFolder(), 'mcp.json');
    const input = { type: 'promptString' as const, id: 'key', description: 'A key', password: true };
    const opened = openConfigFile(file);
    opened.addAll([{ name: 'a', config: { ...config, env: { KEY: '${input:key}' } } }], [input]);
    opened.addAll([{ name: 'b', config }], [input, { ...input, id: 'other' }]);
    expect(opened.read().inputs.map(({ id }) => id)).toEqual(['key', 'other']);
    const servers = [
      { name: 'c', config },
      { name: 'a', config },
    ];
    expect(() => opened.addAll(servers)).toThrow(/already/);
    expect(opened.read().entries.map(({ name }) => name)).toEqual(['a', 'b']);
  });
});
