import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hasBubblewrap } from '../../fixtures/environment.ts';

const PROGRAM = fileURLToPath(new URL('../../fixtures/history/on-small-disks.ts', import.meta.url));
const DISK = String(8 * 1024 * 1024);
const NOT_YET = /^What this command changed is not in the history yet: the disk with the data folder is full\. .+$/;

/** Runs a scenario on two disks of 8 MB, without the rights of root. */
async function play(scenario: string): Promise<unknown> {
  const disks = ['--size', DISK, '--tmpfs', '/mnt', '--size', DISK, '--tmpfs', '/media'];
  const box = ['--dev-bind', '/', '/', ...disks, '--unshare-user', '--cap-drop', 'ALL'];
  const { stdout } = await promisify(execFile)('bwrap', [
    ...box,
    process.execPath,
    PROGRAM,
    scenario,
    '/mnt',
    '/media',
  ]);
  return JSON.parse(stdout);
}

describe.skipIf(!hasBubblewrap)('what a command did (needs bubblewrap for small disks)', () => {
  it('is recorded later when the disk of the data folder is full; nothing is lost meanwhile', async () => {
    expect(await play('full while a command runs')).toEqual({
      note: expect.stringMatching(NOT_YET),
      before: [],
      again: expect.stringMatching(NOT_YET),
      later: 'What earlier commands changed is in the history now.',
      undone: true,
    });
  });

  it('is recorded at the next start when the disk of the data folder is full to the end', async () => {
    expect(await play('full until the next start')).toEqual({ recorded: ['modify a'], undone: true });
  });

  it('is covered as far as there is room for copies, and the rest is named', async () => {
    expect(await play('too small for a copy of everything')).toEqual({
      note: 'Not covered by undo: large (no room for a copy in the data folder). Changed, and it can not be undone: large.',
      made: ['modify small'],
      small: 'old',
    });
  });

  it('can be taken back once there is room again for a file where it made a folder', async () => {
    expect(await play('full when a folder becomes a file again')).toEqual({
      left: [expect.stringContaining('the disk is full')],
      meanwhile: 'directory 750',
      again: [],
      undone: 900_000,
    });
  });

  it('is covered but for what may not be read, which is recorded when it can be', async () => {
    expect(await play('paths that may not be read any more')).toEqual({
      note: expect.stringMatching(/^Not covered by undo: (a|folder|made)(, (a|folder|made)){2} \(may not be read\)\./),
      made: ['modify b', 'modify folder'],
      next: 'Changed, and it can not be undone: made.',
      caught: ['modify a', 'modify b', 'modify folder', 'modify folder/in'],
      left: [],
      texts: ['old', 'old', 'old'],
    });
  });

  it('comes back also in folders that may not be written', async () => {
    expect(await play('folders that may not be written')).toEqual({
      left: [],
      modes: ['555', '555', ''],
      texts: ['1\n', '2\n'],
    });
  });

  it('can be taken back and done again where the folder of a file may not be written', async () => {
    expect(await play('files in folders that may not be written')).toEqual({
      left: [],
      found: ['755 555 1 1', '555 555 2 2', '755 555 1 1'],
    });
  });

  it('is no edit where nobody could read what was there before: an undo takes nothing away', async () => {
    expect(await play('files that could never be read')).toEqual({
      note: expect.stringContaining('Changed, and it can not be undone: secret'),
      made: ['modify folder'],
      texts: ['secretx\n', 'secretx\n'],
    });
  });
});
