import type { PlannedFile, RevertReport } from '../../../../../src-shared/index.ts';
import { CommandFailed } from '../../command.ts';
import { table } from '../../format.ts';
import type { CliTerminal } from '../../terminal.ts';
import { counted, describeEdit, describePath, describePlanned } from './describe.ts';

const CHOOSE = '"causeway history conflict EDIT" shows what there is to choose from.';
const TRY_AGAIN = 'Mend that and run the same again: what is done already is not done twice.';

/**
 * Tells what going back did: the new edits on stdout, what was left as it is on stderr.
 * @throws CommandFailed when something was left.
 */
export function tellReport(report: RevertReport, json: boolean, terminal: CliTerminal): void {
  const { edits, left } = report;
  if (json) terminal.answer(JSON.stringify(report));
  else if (edits.length > 0) terminal.answer(table(edits.map(describeEdit)));
  else if (left.length === 0) terminal.say('There was nothing to do: all is like that already.');
  for (const file of left) terminal.say(`Left as it is: ${describePath(file)} (edit ${file.editId}). ${file.why}`);
  if (left.length === 0) return;
  const isConflict = left.some((file) => file.isConflict);
  throw leftOver(left.length === 1 ? 'was' : 'were', left.length, isConflict ? CHOOSE : TRY_AGAIN);
}

/**
 * Tells what going back would do, without a change to anything.
 * @throws CommandFailed when something would be left as it is.
 */
export function tellPlan(plan: readonly PlannedFile[], json: boolean, terminal: CliTerminal): void {
  if (json) terminal.answer(JSON.stringify(plan));
  else if (plan.length > 0) terminal.answer(table(plan.map(describePlanned)));
  else terminal.say('There is nothing to do: all is like that already.');
  const left = plan.filter(({ conflict }) => conflict !== undefined);
  for (const file of left) {
    terminal.say(`Would be left as it is: ${describePath(file)} (edit ${file.editId}). ${file.conflict}`);
  }
  if (left.length > 0) throw leftOver('would be', left.length, CHOOSE);
}

function leftOver(verb: string, count: number, way: string): CommandFailed {
  const what = `${counted(count, 'file')} ${verb} left as ${count === 1 ? 'it is' : 'they are'}.`;
  return new CommandFailed(`${what} ${way}`);
}
