import { CausewayError, type EditConflict } from '../../../../../src-shared/index.ts';
import { counted } from './describe.ts';

/** The merged text, where nothing in it is left to decide. @throws CausewayError with the way out. */
export function mergedText(conflict: EditConflict): string {
  const { merged, editId, path } = conflict;
  if (!merged) throw cantMerge(conflict);
  if (merged.conflicts === 0) return merged.text;
  const places = `${counted(merged.conflicts, 'place')} of ${path}`;
  throw new CausewayError('conflict', `In ${places} the same lines were changed since edit ${editId}.`, {
    hint:
      `Write the merged text to a file with "causeway history conflict ${editId} --out F", edit what is between the marks, ` +
      `and give it with "causeway history settle ${editId} --text-file F".`,
  });
}

/** Why there is no merged text. */
export function cantMerge({ editId, path }: EditConflict): CausewayError {
  return new CausewayError(
    'conflict',
    `Edit ${editId} of ${path} can't be merged: one of the texts is missing or no text.`,
    {
      hint: `Choose the state before the edit: "causeway history settle ${editId} --use before".`,
    },
  );
}

/** True for a text in which the marks of a merge were left. */
export function hasMarks(text: string, editId: number): boolean {
  const marks = ['<<<<<<< as it is now', `>>>>>>> before edit ${editId}`];
  return text.split(/\r?\n/).some((line) => marks.includes(line));
}
