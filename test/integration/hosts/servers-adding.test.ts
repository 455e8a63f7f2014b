import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine, type CommandLine } from '../../fixtures/cli.ts';
import { writeBundle } from '../../fixtures/mcp-bundle.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

const FAITHFUL = path.resolve(import.meta.dirname, '../../fixtures/servers/faithful.ts');
const NODE = JSON.stringify(process.execPath);

/** A command line whose person has servers in Cursor and Codex, with one secret. */
function withOtherPrograms(): CommandLine & { person: string; cursor: string } {
  const person = temporaryFolder();
  const cursor = path.join(person, '.cursor', 'mcp.json');
  mkdirSync(path.dirname(cursor));
  const servers = {
    notes: { command: process.execPath, args: [FAITHFUL], env: { NOTES_KEY: 'very-secret' } },
    odd: { nothing: true },
  };
  writeFileSync(cursor, JSON.stringify({ mcpServers: servers }));
  mkdirSync(path.join(person, '.codex'));
  writeFileSync(
    path.join(person, '.codex', 'config.toml'),
    `[mcp_servers.notes]\ncommand = ${NODE}\nargs = [${JSON.stringify(FAITHFUL)}, "other"]\n`,
  );
  return { ...commandLine({ HOME: person, XDG_CONFIG_HOME: '', CODEX_HOME: '' }), person, cursor };
}

function configOf({ home }: CommandLine): unknown {
  return JSON.parse(readFileSync(path.join(home, 'mcp.json'), 'utf8'));
}

describe('causeway servers add, with what a README says', () => {
  it('shows all that would run, and adds nothing without a yes', async () => {
    const line = commandLine();
    const told = `claude mcp add notes -e NOTES_KEY=very-secret -- ${process.execPath} ${FAITHFUL}`;
    const shown = await line.run('servers', 'add', told);
    expect(shown.code).toBe(2);
    expect(shown.stderr).toContain(`${process.execPath} ${FAITHFUL}`);
    expect(shown.stderr).toContain('NOTES_KEY=***');
    expect(shown.stderr).not.toContain('very-secret');
    expect(shown.stderr).toContain('Nothing was added');

    const added = await line.run('servers', 'add', told, '--yes', '--name', 'mine');
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('ready') as string });
    expect(configOf(line)).toMatchObject({ mcpServers: { mine: { env: { NOTES_KEY: 'very-secret' } } } });
  });

  it('says why a text holds no server', async () => {
    const line = commandLine();
    const broken = await line.run('servers', 'add', '{ "mcpServers": {{');
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('line 1, column 18') as string });
    const mixed = await line.run('servers', 'add', 'npx', 'pkg', '--yes');
    expect(mixed).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes and --name') as string });
  });
});

describe('causeway servers add, with a bundle', () => {
  it('shows what it is, wants what it needs, and adds it with a yes', async () => {
    const line = commandLine();
    const file = await writeBundle(path.join(line.workspace, 'notes.mcpb'));
    expect(await line.run('servers', 'add', file, '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('It needs "API key": pass --set key=VALUE.') as string,
    });
    const added = await line.run('servers', 'add', file, '--yes', '--name', 'notes', '--set', 'key=very-secret');
    expect(added.stderr).toContain('Faithful Notes 1.2.0 by Somebody, to be added as "notes"');
    expect(JSON.stringify(configOf(line))).not.toContain('very-secret');
    expect(configOf(line)).toMatchObject({
      mcpServers: { notes: { env: { NOTES_KEY: '${input:bundle.notes.key}' } } },
    });
  });
});

describe('causeway servers import', () => {
  it('lists what other programs have, secrets masked', async () => {
    const line = withOtherPrograms();
    const { code, stdout } = await line.run('servers', 'import', '--list');
    expect(code).toBe(0);
    expect(stdout).toContain(`Cursor, ${line.cursor}`);
    expect(stdout).toContain('NOTES_KEY=***');
    expect(stdout).toContain('odd  (not understood)');
    expect(stdout).toContain('Codex');
    expect(stdout).not.toContain('very-secret');
  });

  it('takes what was named, under a free name where one is taken, and never writes the original', async () => {
    const line = withOtherPrograms();
    const original = readFileSync(line.cursor, 'utf8');
    const asked = await line.run('servers', 'import', 'cursor');
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing was added') as string });
    expect(await line.run('servers', 'import', 'cursor', '--yes')).toMatchObject({ code: 0 });
    expect(configOf(line)).toMatchObject({ mcpServers: { notes: { env: { NOTES_KEY: 'very-secret' } } } });
    const again = await line.run('servers', 'import', '--yes', '--json');
    expect(JSON.parse(again.stdout)).toEqual({ imported: ['notes-2'] });
    expect(configOf(line)).toMatchObject({ mcpServers: { 'notes-2': { args: [FAITHFUL, 'other'] } } });
    expect(readFileSync(line.cursor, 'utf8')).toBe(original);
  });
});

describe('causeway servers off, on, rename and edit', () => {
  it('change the entry of the config file', async () => {
    const line = commandLine();
    await line.run('servers', 'add', 'notes', process.execPath, FAITHFUL);
    expect((await line.run('servers', 'off', 'notes')).stdout).toBe('"notes" is switched off.\n');
    expect(configOf(line)).toMatchObject({ mcpServers: { notes: { disabled: true } } });
    expect((await line.run('servers', 'on', 'notes')).code).toBe(0);
    expect((await line.run('servers', 'rename', 'notes', 'mine')).code).toBe(0);
    expect((await line.run('servers', 'edit', 'mine', '--env', 'A=1')).code).toBe(0);
    expect(configOf(line)).toEqual({
      mcpServers: { mine: { command: process.execPath, args: [FAITHFUL], env: { A: '1' } } },
    });
    expect(await line.run('servers', 'edit', 'mine')).toMatchObject({ code: 2 });
    expect(await line.run('servers', 'off', 'notes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no server named "notes"') as string,
    });
  });
});
