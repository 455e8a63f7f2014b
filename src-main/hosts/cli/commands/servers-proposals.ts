import type { NamedServer, ReadServers, ServerProposal } from '../../../../src-shared/index.ts';
import { BadUsage } from '../command.ts';
import type { CliTerminal } from '../terminal.ts';

/** What is shown of a server before it is added: all that would run, and what is to be known of it. */
export interface Shown extends Pick<ServerProposal, 'name' | 'status' | 'target' | 'values' | 'notes'> {
  as?: string;
}

const STATUS = { new: 'new', same: 'attached already', clash: 'another one has this name', unknown: 'not understood' };

/** Every line whole: what runs is never cut. */
export function describeProposal({ name, status, target, values, notes, as }: Shown): string {
  const title = `${name}${as === undefined || as === name ? '' : `, to be added as "${as}"`}  (${STATUS[status]})`;
  const lines = [target, ...values, ...notes].filter((line) => line !== '');
  return [title, ...lines.map((line) => `    ${line}`)].join('\n');
}

/** A name that nobody has yet. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  return free;
}

/** @throws BadUsage when the person says no, or nobody is there to ask and no `--yes` was given. */
export async function confirm(question: string, yes: boolean | undefined, terminal: CliTerminal): Promise<void> {
  if (yes) return;
  if (!terminal.interactive) throw new BadUsage('Nothing was added: look at what would run, and pass --yes.');
  const answer = await terminal.ask(`${question} [y/N] `, terminal.signal);
  if (!/^y(es)?$/i.test(answer.trim())) throw new BadUsage('Nothing was added.');
}

/** The servers of a text that can be added, each under a free name; what can not is said. */
export function chooseNames(
  { proposals, problem }: ReadServers,
  { name, taken }: { name: string | undefined; taken: ReadonlySet<string> },
  terminal: CliTerminal,
): NamedServer[] {
  if (problem !== undefined && proposals.length === 0) throw new BadUsage(problem);
  const names = new Set(taken);
  const chosen: NamedServer[] = [];
  if (name !== undefined && proposals.length > 1) throw new BadUsage('--name is for a single server.');
  for (const proposal of proposals) {
    const { config, status } = proposal;
    if (!config || (status === 'same' && name === undefined)) {
      terminal.say(describeProposal(proposal));
      continue;
    }
    const as = freeName(name ?? proposal.name, names);
    names.add(as);
    terminal.say(describeProposal({ ...proposal, as }));
    chosen.push({ name: as, config });
  }
  return chosen;
}
