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

/** What a killed Causeway's command changed in a workspace that is not there. */
export function notThere(root: string, place: string): string {
  return `What a command changed in ${root} is not in the history yet, because that folder is not there. Bring its disk back, or make the folder, and start Causeway again: then it is recorded and can be undone. To give it up, remove ${place}.`;
}

/** @param root undefined where that is not known any more. @param aside where the copies are. */
export function damagedNote(root: string | undefined, aside: string): string {
  return `What a command changed${root === undefined ? '' : ` in ${root}`} when Causeway was killed could not be recorded: the note of how files were before it is damaged. Copies of the files are in ${aside}, without their names; they are removed after two weeks.`;
}

export function stillOwed(root: string): string {
  return `What a command changed in ${root} is still not in the history. What is needed for it is kept, and it is recorded as soon as that works.`;
}
