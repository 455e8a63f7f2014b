import { describeError } from '../../../src-shared/index.ts';

const FULL = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'];
const BUSY = ['SQLITE_BUSY', 'SQLITE_LOCKED'];

/** Why the data folder could not take something: a clause without a full stop. */
export function whyNotRecorded(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause) {
    const code = 'code' in one && typeof one.code === 'string' ? one.code : '';
    if (FULL.includes(code)) return 'the disk with the data folder is full';
    if (BUSY.some((busy) => code.startsWith(busy))) return 'another program keeps the database of the history busy';
  }
  return describeError(error).replace(/\.$/, '');
}
