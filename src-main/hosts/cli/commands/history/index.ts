import type { AddCommand } from '../../command.ts';
import { addBlame } from './blame.ts';
import { addConflict } from './conflict.ts';
import { addList } from './list.ts';
import { addPrune } from './prune.ts';
import { addRestore } from './restore.ts';
import { addRevert } from './revert.ts';
import { addSettle } from './settle.ts';
import { addShow } from './show.ts';

const EXAMPLES = `
Examples:
  causeway history list --path src --since 2h
  causeway history undo                          the newest edit in the workspace
  causeway history undo --call ID --dry-run      what taking back a whole step would do
  causeway history undo --session ID --since 12  back to how it was right after edit 12
  causeway history restore ID --to 12 --conversation

Numbers of edits are in "history list", ids of calls and runs in "history show", ids of sessions in "sessions list".
Exit codes: 0 all was done, 1 something was not, 2 wrong arguments.`;

/** Everything that the history can, for the terminal. */
export const addHistory: AddCommand = (program, terminal) => {
  const family = program.command('history').description('every edit of a file, and taking it back');
  family.addHelpText('after', EXAMPLES);
  for (const add of [addList, addShow, addRevert, addRestore, addBlame, addConflict, addSettle, addPrune]) {
    add(family, terminal);
  }
};
