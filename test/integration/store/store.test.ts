import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultSettings, image, success, text, embedded, storedResult } from '../../../src-shared/index.ts';
import { openStore, type Schema } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

function open(home: string, schemas: Schema[] = []): ReturnType<typeof openStore> {
  const store = openStore({ home, schemas });
  onTestFinished(() => store[Symbol.dispose]());
  return store;
}

/** A real PNG of one transparent pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('the store', () => {
  it('keeps sessions and their events over a restart, in order', () => {
    const home = temporaryFolder();
    const first = openStore({ home });
    const session = first.sessions.create({ title: 'Fix it', workspace: '/w', origin: 'window' });
    first.events.append(session.id, { type: 'note', text: 'one' });
    first.events.append(session.id, { type: 'note', text: 'two' });
    first[Symbol.dispose]();

    const second = open(home);
    expect(second.sessions.list()).toEqual([session]);
    const texts = second.events.read(session.id).map((event) => event.type === 'note' && event.text);
    expect(texts).toEqual(['one', 'two']);
  });

  it('gives only what came after a known event', () => {
    const store = open(temporaryFolder());
    const { id } = store.sessions.create({ title: '', workspace: '/w', origin: 'window' });
    const known = store.events.append(id, { type: 'note', text: 'one' });
    const fresh = store.events.append(id, { type: 'note', text: 'two' });
    expect(store.events.read(id, known.seq)).toEqual([fresh]);
  });

  it('has committed an event before anybody hears of it', () => {
    const store = open(temporaryFolder());
    const { id } = store.sessions.create({ title: '', workspace: '/w', origin: 'window' });
    let readBack: unknown;
    using _subscription = store.events.on((event) => {
      readBack = store.events.read(id, event.seq - 1);
    });
    const event = store.events.append(id, { type: 'note', text: 'one' });
    expect(readBack).toEqual([event]);
  });

  it('marks sessions of a dead program as interrupted, and leaves those of a living one', () => {
    const home = temporaryFolder();
    const store = open(home);
    const mine = store.sessions.create({ title: 'mine', workspace: '/w', origin: 'window' });
    const dead = store.sessions.create({ title: 'dead', workspace: '/w', origin: 'window' });
    store.sessions.update(mine.id, { state: 'running' });
    store.sessions.update(dead.id, { state: 'running' });
    store.db.prepare(`UPDATE sessions SET owner = '1:never' WHERE id = ?`).run(dead.id);
    expect(store.sessions.markInterrupted().map((session) => session.id)).toEqual([dead.id]);
    expect(store.sessions.get(mine.id).state).toBe('running');
  });

  it('keeps images out of the log and gives them back byte for byte, with their size in pixels', () => {
    const store = open(temporaryFolder());
    const result = success([text('a figure'), image(PIXEL, 'image/png')]);
    const stored = store.blobs.storeResult(result);
    expect(JSON.stringify(stored)).not.toContain(PIXEL);
    expect(stored.content[1]).toMatchObject({ type: 'image', width: 1, height: 1 });
    expect(store.blobs.loadResult(stored)).toEqual(result);
  });

  it('keeps documents out of the log too, gives them back, and still reads those of earlier logs', () => {
    const store = open(temporaryFolder());
    const document = Buffer.from('%PDF-1.7 and its bytes').toString('base64');
    const result = success([text('a document'), embedded('file:///w/a.pdf', 'application/pdf', document)]);
    const stored = store.blobs.storeResult(result);
    expect(JSON.stringify(stored)).not.toContain(document);
    expect(stored.content[1]).toMatchObject({ resource: { uri: 'file:///w/a.pdf' }, blob: { size: 22 } });
    expect(store.blobs.loadResult(storedResult.parse(stored))).toEqual(result);
    expect(store.blobs.loadResult(storedResult.parse(result))).toEqual(result);
    // What a server itself calls "blob" is not taken for a reference.
    const odd = { type: 'resource' as const, resource: { uri: 'x:y', text: 'hello' }, blob: 'foreign' };
    expect(storedResult.parse(store.blobs.storeResult(success([odd]))).content[0]).toMatchObject({
      resource: { text: 'hello' },
    });
  });

  it('refuses names that are not names of stored objects or outputs', () => {
    const store = open(temporaryFolder());
    expect(() => store.blobs.read('../../etc/passwd')).toThrow(/not the name/);
    expect(() => store.outputs.read('../causeway.db', 0, 10)).toThrow(/not the name/);
  });

  it('reads any window of a long output', () => {
    const store = open(temporaryFolder());
    const writer = store.outputs.create();
    writer.write(Buffer.from('0123456789'));
    writer.close();
    expect(store.outputs.read(writer.handle, 4, 3)).toEqual({ text: '456', offset: 4, totalBytes: 10 });
    expect(store.outputs.read(writer.handle, 99, 3)).toEqual({ text: '', offset: 10, totalBytes: 10 });
  });

  it('keeps secrets unreadable on disk and for this user only', () => {
    const home = temporaryFolder();
    open(home).secrets.set('model.key', 'sk-very-secret');
    for (const name of readdirSync(home)) {
      const file = path.join(home, name);
      if (statSync(file).isFile()) expect(readFileSync(file, 'latin1')).not.toContain('sk-very-secret');
    }
    expect(statSync(path.join(home, 'secrets.key')).mode & 0o077).toBe(0);
    const again = open(home);
    expect(again.secrets.get('model.key')).toBe('sk-very-secret');
    again.secrets.set('model.key', null);
    expect(again.secrets.get('model.key')).toBeUndefined();
  });

  it('never overwrites a settings file that it can not read', () => {
    const home = temporaryFolder();
    writeFileSync(path.join(home, 'settings.json'), '{ "approvals": { "mode": "maybe" } }');
    expect(() => openStore({ home })).toThrow(/approvals/);
    expect(readFileSync(path.join(home, 'settings.json'), 'utf8')).toContain('maybe');
  });

  it('names the field and what it may be when a setting is wrong', () => {
    const home = temporaryFolder();
    writeFileSync(path.join(home, 'settings.json'), '{ "agent": { "maxSteps": 0 } }');
    expect(() => openStore({ home })).toThrow(/"agent\.maxSteps": .*\.$/);
  });

  it('says what to do when its folder can not be made', () => {
    const file = path.join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(() => openStore({ home: file })).toThrow(/data folder .*file in its place/);
  });

  it('reads settings with a byte order mark, and says what to do when they can not be read', () => {
    const home = temporaryFolder();
    const file = path.join(home, 'settings.json');
    writeFileSync(file, '\uFEFF{ "approvals": { "mode": "ask" } }');
    expect(open(home).settings.get().approvals.mode).toBe('ask');
    rmSync(file);
    mkdirSync(file);
    expect(() => open(home)).toThrow(`The settings file ${file} can not be read: it is a folder.`);
  });

  it('keeps settings over a restart', () => {
    const home = temporaryFolder();
    open(home).settings.set({ ...defaultSettings, approvals: { mode: 'ask' } });
    expect(open(home).settings.get().approvals.mode).toBe('ask');
  });
});

describe('the database', () => {
  it('is backed up before its tables change, and keeps its data', () => {
    const home = temporaryFolder();
    const schema = (steps: string[]): Schema[] => [{ name: 'pier', steps }];
    const first = openStore({ home, schemas: schema(['CREATE TABLE piers (name TEXT)']) });
    first.db.exec(`INSERT INTO piers VALUES ('north')`);
    first[Symbol.dispose]();
    const second = open(home, schema(['CREATE TABLE piers (name TEXT)', 'ALTER TABLE piers ADD COLUMN depth REAL']));
    expect(second.db.prepare('SELECT * FROM piers').all()).toEqual([{ name: 'north', depth: null }]);
    expect(readdirSync(path.join(home, 'backups')).filter((name) => name.endsWith('.db'))).toHaveLength(1);
  });

  it('is left exactly as it was when a step fails', () => {
    const home = temporaryFolder();
    openStore({ home })[Symbol.dispose]();
    const before = digest(path.join(home, 'causeway.db'));
    expect(() => openStore({ home, schemas: [{ name: 'pier', steps: ['CREATE NONSENSE'] }] })).toThrow(/left as it is/);
    expect(digest(path.join(home, 'causeway.db'))).toBe(before);
  });

  it('is refused when a newer program wrote it', () => {
    const home = temporaryFolder();
    openStore({ home, schemas: [{ name: 'pier', steps: ['CREATE TABLE a (b)', 'CREATE TABLE c (d)'] }] })[
      Symbol.dispose
    ]();
    expect(() => openStore({ home, schemas: [{ name: 'pier', steps: ['CREATE TABLE a (b)'] }] })).toThrow(
      /newer version/,
    );
  });

  it('is moved aside when it is damaged, and a new one is started', () => {
    const home = temporaryFolder();
    writeFileSync(path.join(home, 'causeway.db'), 'this is no database, however long one looks at it '.repeat(100));
    const store = open(home);
    expect(store.loss?.sentence).toContain('The database was damaged (file is not a database)');
    expect(existsSync(store.loss?.movedTo ?? '')).toBe(true);
    expect(store.sessions.list()).toEqual([]);
  });

  it.skipIf(!hasSqlite())('gives back what can be read of it by the command that is told (needs sqlite3)', () => {
    const home = temporaryFolder();
    const first = openStore({ home });
    const { id } = first.sessions.create({ title: 'kept', workspace: '/w', origin: 'window' });
    for (let count = 0; count < 100; count += 1) first.events.append(id, { type: 'note', text: 'x'.repeat(2000) });
    first[Symbol.dispose]();
    overwrite(path.join(home, 'causeway.db'), { page: 60, pages: 2 });
    const [, command = ''] = /\((sqlite3 .+ saved\.db)\)/.exec(lossAt(home)) ?? [];
    execFileSync('sh', ['-c', command], { cwd: home });
    for (const suffix of ['-wal', '-shm']) rmSync(path.join(home, `causeway.db${suffix}`), { force: true });
    renameSync(path.join(home, 'saved.db'), path.join(home, 'causeway.db'));
    const store = open(home);
    expect(store.loss).toBeUndefined();
    expect(store.sessions.list()).toMatchObject([{ title: 'kept' }]);
    expect(store.events.read(id).length).toBeGreaterThan(20);
  });

  it('is moved aside also when only pages in the middle are damaged', () => {
    const home = temporaryFolder();
    const first = openStore({ home });
    const { id } = first.sessions.create({ title: '', workspace: '/w', origin: 'window' });
    for (let count = 0; count < 100; count += 1) first.events.append(id, { type: 'note', text: 'x'.repeat(2000) });
    first[Symbol.dispose]();
    overwrite(path.join(home, 'causeway.db'), { page: 8, pages: 12 });
    const store = open(home);
    expect(existsSync(store.loss?.movedTo ?? '')).toBe(true);
    expect(store.events.read(id)).toEqual([]);
  });

  it('that is empty or gone is a new one at the first start only; later it is said what was lost', () => {
    const home = temporaryFolder();
    const file = path.join(home, 'causeway.db');
    writeFileSync(file, '');
    expect(lossAt(home)).toBe('');
    using first = openStore({ home });
    first.fileBytes.put(Buffer.from('part of a file'));
    first[Symbol.dispose]();
    writeFileSync(file, '');
    const emptied = lossAt(home);
    expect(emptied).toContain(`The database ${file} was empty, though it had been used before`);
    expect(emptied).toContain('a copy of your own');
    expect(lossAt(home)).toBe('');
    rmSync(file);
    expect(lossAt(home)).toContain(`The database ${file} was not there, though there had been one`);
  });

  it('that is lost is told with the newest backup', () => {
    const home = temporaryFolder();
    mkdirSync(path.join(home, 'backups'));
    for (const year of [2027, 2026]) writeFileSync(path.join(home, 'backups', `causeway-${year}-01-01.db`), '');
    writeFileSync(path.join(home, 'causeway.db'), 'no database '.repeat(1000));
    expect(open(home).loss?.sentence).toMatch(/or the newest backup, .+causeway-2027-01-01\.db\.$/);
  });
});

/** Damages a database. */
function overwrite(file: string, { page, pages }: { page: number; pages: number }): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(pages * 4096, 'damage'), 0, undefined, page * 4096);
  closeSync(descriptor);
}

function hasSqlite(): boolean {
  return spawnSync('sh', ['-c', 'command -v sqlite3']).status === 0;
}

/** Opens and closes it; what was said of a lost database. */
function lossAt(home: string): string {
  using store = openStore({ home });
  return store.loss?.sentence ?? '';
}

function digest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
