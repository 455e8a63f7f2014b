import type { ApprovalMode, Caller, ToolDefinition } from '../../src-shared/index.ts';

/** What the policy says to a call: go ahead, or ask the person for this reason. */
export type Opinion = { ask: false } | { ask: true; reason: string; eachTime?: true };

const GO: Opinion = { ask: false };

export interface PolicyQuestion {
  mode: ApprovalMode;
  caller: Caller;
  tool: ToolDefinition;
  /** A path outside the workspace that the call names. */
  outsidePath?: string;
  /** What the call does beyond what its tool usually does, in a sentence. */
  special?: string;
  /** What the person wants for this very tool; it goes before the mode. */
  wanted?: { ask?: string; unasked?: true };
}

/** Built-in tools that only talk to the person or end the run. */
const HARMLESS = new Set(['ask_human', 'terminate']);

/**
 * Pure: the same question always gets the same opinion. Annotations are claims of a tool's author; for attached servers a
 * claim of being read-only is believed, because the person attached that server, and every other tool asks.
 */
export function judge({ mode, caller, tool, outsidePath, special, wanted }: PolicyQuestion): Opinion {
  if (wanted?.ask !== undefined && caller.kind !== 'person') return { ask: true, reason: wanted.ask, eachTime: true };
  if (mode === 'full') return GO;
  if (outsidePath !== undefined) return { ask: true, reason: `This is outside the workspace: ${outsidePath}.` };
  if (tool.origin.kind === 'builtin' && HARMLESS.has(tool.name)) return GO;
  // Running a tool by hand is itself the person's yes.
  if (caller.kind === 'person') return GO;
  if (special !== undefined) return { ask: true, reason: special };
  if (wanted?.unasked || tool.annotations?.readOnlyHint === true) return GO;
  if (mode === 'workspace' && tool.origin.kind === 'builtin') return GO;
  return { ask: true, reason: reasonFor(tool) };
}

function reasonFor(tool: ToolDefinition): string {
  const label = tool.title ?? tool.name;
  return tool.origin.kind === 'server'
    ? `"${label}" belongs to the attached server "${tool.origin.server}" and may change things.`
    : `"${label}" may change things on this computer.`;
}
