import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createOutputStore, type OutputLimits } from '../../../src-main/store/outputs.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';

const LIMITS: OutputLimits = { oneBytes: 100, allBytes: 250, days: 30, pruneAfterBytes: 1000 };
const DAY_SECONDS = 24 * 60 * 60;

function write(store: ReturnType<typeof createOutputStore>, size: number): string {
  const writer = store.create();
  writer.write([Buffer.alloc(size >> 1, 'x'), Buffer.alloc(size - (size >> 1), 'x')]);
  writer.close();
  return writer.handle;
}

/** As if it had been written so long ago. */
function age(folder: string, handle: string, days: number): void {
  const seconds = Date.now() / 1000 - days * DAY_SECONDS;
  utimesSync(path.join(folder, handle), seconds, seconds);
}

describe('whole outputs', () => {
  it('are kept up to a size, and counted beyond it', () => {
    const store = createOutputStore(temporaryFolder(), LIMITS);
    const writer = store.create();
    for (let count = 0; count < 15; count += 1) writer.write(Buffer.from('0123456789'));
    writer.write([Buffer.from('ab'), Buffer.from('cd')]);
    writer.close();
    expect(writer.totalBytes).toBe(154);
    expect(store.read(writer.handle, 90, 50)).toEqual({ text: '0123456789', offset: 90, totalBytes: 100 });
    expect(Buffer.from(store.readBytes(writer.handle, 98, 50).bytes).toString()).toBe('89');
  });

  it('that can not be kept break nothing: they are counted, and say why they are not whole', () => {
    const folder = path.join(temporaryFolder(), 'file');
    writeFileSync(folder, 'in the way');
    const store = createOutputStore(folder, LIMITS);
    const writer = store.create();
    writer.write(Buffer.from('0123456789'));
    writer.close();
    expect(writer).toMatchObject({ totalBytes: 10, problem: expect.stringContaining('data folder') as string });
    expect(() => store.read(writer.handle, 0, 1)).toThrow('not kept any more');
    const long = createOutputStore(temporaryFolder(), LIMITS).create();
    long.write(Buffer.alloc(LIMITS.oneBytes));
    expect(long.problem).toBeUndefined();
    long.write(Buffer.alloc(1));
    long.close();
    expect(long.problem).toBe('only the first 100 bytes of an output are kept');
  });

  it('go when they are old, then the oldest while there is too much; those being written and foreign files stay', async () => {
    const folder = temporaryFolder();
    const store = createOutputStore(folder, LIMITS);
    const [old, older, newer, newest] = [write(store, 10), write(store, 100), write(store, 100), write(store, 100)];
    const current = store.create();
    current.write(Buffer.from('now'));
    age(folder, old, 31);
    age(folder, older, 3);
    age(folder, newer, 2);
    age(folder, newest, 1);
    age(folder, current.handle, 40);
    writeFileSync(path.join(folder, 'mine.txt'), 'x');
    mkdirSync(path.join(folder, 'folder'));
    await store.prune();
    expect(readdirSync(folder).toSorted()).toEqual([newer, newest, current.handle, 'folder', 'mine.txt'].toSorted());
    expect(() => store.read(old, 0, 1)).toThrow('not kept any more');
    current.close();
  });

  it('that another Causeway may still write are left alone, however much there is', async () => {
    const folder = temporaryFolder();
    const writing = createOutputStore(folder, LIMITS);
    const handles = Array.from({ length: 5 }, () => write(writing, 100));
    await createOutputStore(folder, LIMITS).prune();
    for (const handle of handles) expect(existsSync(path.join(folder, handle))).toBe(true);
  });

  it('are looked through when the first is made', async () => {
    const folder = temporaryFolder();
    const old = write(createOutputStore(folder, LIMITS), 10);
    age(folder, old, 31);
    write(createOutputStore(folder, LIMITS), 10);
    await waitFor(() => !existsSync(path.join(folder, old)));
  });
});
