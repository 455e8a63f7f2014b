import { writeFileSync } from 'node:fs';
import { CausewayError } from '../../../src-shared/index.ts';

/**
 * Writes a file that must not be there yet: the one that `--out` names.
 * @throws CausewayError `io`.
 */
export function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    throw new CausewayError(
      'io',
      exists ? `The file ${file} exists already.` : `The file ${file} could not be written.`,
      { hint: 'Name another one with --out.', cause },
    );
  }
}
