import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CausewayError } from '../../../src-shared/index.ts';
import { createLocalOperator, type FileOperator } from '../../../src-main/operator/index.ts';
import { bundlePrograms } from '../../fixtures/bundle.ts';
import { buildFileWorker, fileThreads } from '../../fixtures/operator/operators.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

const MEGABYTE = 1024 * 1024;

const bundled = await bundlePrograms({
  ending: new URL('../../fixtures/operator/ending-thread.ts', import.meta.url),
});

/** What came of a call that failed. */
async function told(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof CausewayError ? { code: error.code, message: error.message, hint: error.hint } : error;
}

describe('threads that work on files', () => {
  it('fail with the words of the file operation, as without threads', async () => {
    const folder = temporaryFolder();
    const at = (name: string): string => path.join(folder, name);
    writeFileSync(at('file'), 'x');
    symlinkSync('circle', at('circle'));
    const attempts: ((files: FileOperator) => Promise<unknown>)[] = [
      (files) => files.read(at('none')),
      (files) => files.read(folder),
      (files) => files.entry('/dev/null/none/\0'),
      (files) => files.write(at('file/below'), Buffer.from('x')),
      (files) => files.write(folder, Buffer.from('x')),
      (files) => files.write(at('x'.repeat(300)), Buffer.from('x')),
      (files) => files.realPath(at('circle')),
      (files) => files.list(at('none')),
      (files) => files.makeFolder(at('file')),
      (files) => files.setMode(at('none'), 0o700),
    ];
    const { files: threaded } = await fileThreads();
    const { files: here } = await createLocalOperator({ workspace: folder });
    for (const attempt of attempts) {
      const expected = await told(attempt(here));
      expect(await told(attempt(threaded))).toEqual(expected);
      expect(expected).toMatchObject({ code: expect.any(String), message: expect.stringContaining('could not be') });
    }
  });

  it('fail one call when one of them ends in the middle; the next call has another', async () => {
    const folder = temporaryFolder();
    const { files } = await fileThreads(bundled('ending'));
    await files.write(path.join(folder, 'file'), Buffer.from('before'));
    const [ended, other] = await Promise.all([
      told(files.write(path.join(folder, 'end'), Buffer.from('never'))),
      files.write(path.join(folder, 'other'), Buffer.from('meanwhile')),
    ]);
    expect(ended).toEqual({
      code: 'io',
      message: `The part of Causeway that works on files ended while it worked on ${path.join(folder, 'end')}.`,
      hint: 'The file is as it was, or wholly new. Look at it and try again.',
    });
    expect(other).toBe(true);
    expect(String(await files.read(path.join(folder, 'file')))).toBe('before');
  });

  it('say so when they can not be started', async () => {
    const { files } = await fileThreads('/nowhere/worker.mjs');
    expect(await told(files.read('/etc/hostname'))).toMatchObject({
      code: 'io',
      message: expect.stringContaining('/nowhere/worker.mjs'),
    });
  });

  it('hand over a large file without a copy, and leave to the caller what it gives', async () => {
    const { files } = await fileThreads();
    const file = path.join(temporaryFolder(), 'large');
    const given = Buffer.alloc(20 * MEGABYTE, 'An ordinary line of text, as long as lines are.\n');
    await files.write(file, [given.subarray(0, 1000), given.subarray(1000)]);
    const read = await files.read(file);
    expect(read.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(Buffer.compare(given, read)).toBe(0);
    await files.write(file, [read.subarray(MEGABYTE), Buffer.from('end')]);
    expect(read).toHaveLength(20 * MEGABYTE);
    expect(await files.holds(file, Buffer.concat([given.subarray(MEGABYTE), Buffer.from('end')]))).toBe(true);
  });

  it('come to the end of what they do when they are closed, and do nothing afterwards', async () => {
    const threads = await fileThreads();
    const file = path.join(temporaryFolder(), 'file');
    const underWay = threads.files.write(file, Buffer.alloc(5 * MEGABYTE));
    // What is copied for a thread is on its way when the turn ends.
    await Promise.resolve();
    await threads[Symbol.asyncDispose]();
    expect(await underWay).toBe(true);
    expect(readFileSync(file)).toHaveLength(5 * MEGABYTE);
    expect(await told(threads.files.read(file))).toMatchObject({ code: 'cancelled' });
  });

  it('keep no program from ending', async () => {
    const face = JSON.stringify(fileURLToPath(new URL('../../../src-main/operator/index.ts', import.meta.url)));
    const script = `
      const { createFileThreads } = await import(${face});
      const { files } = createFileThreads({ program: ${JSON.stringify(await buildFileWorker())} });
      console.log(String(await files.read(${JSON.stringify(fileURLToPath(import.meta.url))})).length > 0);`;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 30_000,
    });
    expect({ stdout: String(stdout), stderr: String(stderr), status }).toEqual({
      stdout: 'true\n',
      stderr: '',
      status: 0,
    });
  });
});
