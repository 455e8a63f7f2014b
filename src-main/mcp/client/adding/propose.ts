import { isDeepStrictEqual } from 'node:util';
import type { NamedServer, ServerConfig, ServerProposal } from '../../../../src-shared/index.ts';
import { describeValues } from '../secrets.ts';
import { describeTarget } from '../target.ts';
import type { NamedEntry } from './read-json.ts';

/** How an entry relates to the servers that are attached, as people see it before they say yes. */
export function propose(entry: NamedEntry, attached: readonly NamedServer[]): ServerProposal {
  const { name } = entry;
  if ('problem' in entry) {
    return { name: name || '?', status: 'unknown', target: '', values: [], notes: [entry.problem] };
  }
  const { config } = entry;
  const namesake = attached.find((server) => server.name === name);
  const twin = attached.find((server) => server.name !== name && runsTheSame(server.config, config));
  return {
    name,
    status: !namesake ? 'new' : isSame(namesake.config, config) ? 'same' : 'clash',
    target: describeTarget(config),
    values: describeValues(config),
    notes: twin ? [...entry.notes, `"${twin.name}" already runs the same.`] : entry.notes,
    config,
  };
}

/** Whether it is switched on makes it no other server. */
function isSame(one: ServerConfig, other: ServerConfig): boolean {
  return isDeepStrictEqual({ ...one, disabled: false }, { ...other, disabled: false });
}

function runsTheSame(one: ServerConfig, other: ServerConfig): boolean {
  const identity = ({ command, args, url }: ServerConfig): unknown => [command, args, url];
  return isDeepStrictEqual(identity(one), identity(other));
}
