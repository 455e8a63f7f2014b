import {
  CausewayError,
  tokensOfTool,
  withHiddenShown,
  type TextFlag,
  type ToolStanding,
  type ToolSwitch,
} from '../../../../src-shared/index.ts';
import type { ToolTrust } from '../../../tools/index.ts';
import type { ServerTool } from '../list-tools.ts';
import { definitionText } from './definition-text.ts';
import { fingerprint } from './fingerprint.ts';
import { flagsOfTool } from './flags.ts';
import type { ServerRecord, ToolRecord } from './store.ts';

/** What can be told of a definition alone. Worked out once: a server's list can be long. */
interface Facts {
  hash: string;
  flags: readonly TextFlag[];
  tokens: number;
}

const known = new WeakMap<ServerTool, Facts>();

export function factsOf(tool: ServerTool): Facts {
  const found = known.get(tool);
  if (found) return found;
  const tokens = tokensOfTool({ ...tool, origin: { kind: 'builtin' } });
  const facts = { hash: fingerprint(tool), flags: flagsOfTool(tool), tokens };
  known.set(tool, facts);
  return facts;
}

/** How a definition stands to what is kept of the tool. */
export function standingOf(tool: ServerTool, record: ToolRecord): ToolStanding {
  if (record.hash === null) return 'suspicious';
  if (record.hash !== factsOf(tool).hash) return 'changed';
  return record.fresh ? 'new' : 'known';
}

export function isHeldBack(standing: ToolStanding): boolean {
  return standing === 'changed' || standing === 'suspicious';
}

/** What is kept of a tool that was never seen: of a new server it is agreed to, of a known one it is marked, or held back. */
export function firstRecord(tool: ServerTool, isNewServer: boolean): ToolRecord {
  const { hash, flags } = factsOf(tool);
  const isHeld = !isNewServer && flags.length > 0;
  const definition = isHeld ? '' : definitionText(tool);
  return { hash: isHeld ? null : hash, definition, fresh: !isNewServer, declined: null, switch: null, hold: null };
}

export function effectiveSwitch(record: ToolRecord, server: ServerRecord): ToolSwitch | null {
  return record.switch ?? server.switch;
}

/** Why a tool is not offered; undefined when it is. */
export function refusalOf(
  server: string,
  tool: ServerTool,
  { standing, set }: { standing: ToolStanding; set: ToolSwitch | null },
): CausewayError | undefined {
  const name = withHiddenShown(tool.name);
  const look = { hint: `The person can look at it on the Servers page, or with: causeway servers accept ${server}` };
  if (standing === 'changed') {
    const why = 'its definition is another than the one the person agreed to';
    return new CausewayError('refused', `The tool "${name}" of the server "${server}" is held back: ${why}.`, look);
  }
  if (standing === 'suspicious') {
    const why = 'it is new, and its definition is flagged';
    return new CausewayError('refused', `The tool "${name}" of the server "${server}" is held back: ${why}.`, look);
  }
  if (set !== 'off') return undefined;
  return new CausewayError('refused', `The tool "${name}" of the server "${server}" is switched off by the person.`);
}

/** What the gateway has to heed when the tool is called. */
export function policyOf(
  server: string,
  tool: ServerTool,
  { set, hold }: { set: ToolSwitch | null; hold: boolean },
): ToolTrust {
  const [flag] = factsOf(tool).flags;
  return {
    ...(flag && { ask: `The definition of this tool of "${server}" is flagged: ${describeFlag(flag)}` }),
    ...(!flag && set === 'ask' && { ask: `You want to be asked at each call of this tool of "${server}".` }),
    ...(!flag && set === 'on' && { unasked: true }),
    ...(hold && { holdResult: true }),
  };
}

/** A flag in a sentence. */
function describeFlag({ kind, where, excerpt, spells }: TextFlag): string {
  if (kind === 'long') return `"${where}" is too long to be checked whole.`;
  if (kind === 'instruction') return `"${where}" tries to steer the model: ${excerpt}`;
  return `"${where}" has hidden characters${spells === undefined ? '' : ` that spell "${spells}"`}: ${excerpt}`;
}
