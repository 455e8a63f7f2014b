import path from 'node:path';
import type { EditView, JsonObject, ToolResult } from '../../../src-shared/index.ts';
import { plainName } from '../../platform/index.ts';
import type { Tool } from '../../tools/index.ts';
import type { CommandSnapshots } from './snapshots.ts';

/** States of a result whose command still runs. */
const GOING_ON = ['running', 'waiting'];

/** Files that are named in a result; the card has them all. */
const MOST_NAMED = 20;
const WORDS: Readonly<Partial<Record<EditView['kind'], string>>> = { create: ' (new)', delete: ' (removed)' };

/**
 * The same tool, with what it does to the files of the workspace made into edits of the call. What could not be covered stands in
 * the result; so do the names of the files where `editsOf` gives them, newest first.
 */
export function trackChanges(
  tool: Tool,
  parts: {
    snapshots: CommandSnapshots;
    enabled: () => boolean;
    editsOf?: (call: { sessionId: string; callId: string; limit: number }) => EditView[];
  },
): Tool {
  const { snapshots, enabled, editsOf } = parts;
  return {
    ...tool,
    // It may change with what the tool finds out and with the settings.
    get description() {
      return tool.description;
    },
    async execute(input: JsonObject, context) {
      if (!enabled()) return tool.execute(input, context);
      const { sessionId, callId, caller, operator, output, signal } = context;
      const actor = { sessionId, callId, tool: tool.name, caller };
      let told = 0;
      const command = await snapshots.begin(operator.workspace, actor, signal, (progress, total) => {
        told = total;
        output.progress({ progress, total, message: 'Copying the workspace, so that this can be undone' });
      });
      if (told > 0 || command.warning !== undefined) {
        output.progress({ progress: told, ...(told > 0 && { total: told }), message: command.warning ?? '' });
      }
      let result: ToolResult | undefined;
      try {
        result = await tool.execute(input, context);
      } finally {
        const note = await command.end({
          goesOn: result !== undefined && goesOn(result),
          outlives: input['keep'] === true,
        });
        const edits = editsOf?.({ sessionId, callId, limit: MOST_NAMED + 1 }) ?? [];
        const said = [note, namesOf(edits, operator.workspace)].filter((one) => one !== undefined);
        if (result && said.length > 0)
          result = { ...result, system: [result.system, ...said].filter(Boolean).join('\n') };
      }
      return result;
    },
  };
}

/** What a call did to files, by name; undefined when it did nothing to any. */
function namesOf(edits: readonly EditView[], workspace: string): string | undefined {
  const files = edits.filter(({ entry }) => entry !== 'folder');
  if (files.length === 0) return undefined;
  const names = files
    .slice(0, MOST_NAMED)
    .toReversed()
    .map(({ path: file, kind }) => `${plainName(path.relative(workspace, file))}${WORDS[kind] ?? ''}`);
  return `Files of the workspace that changed: ${names.join(', ')}${edits.length > MOST_NAMED ? ' and more' : ''}.`;
}

function goesOn({ structuredContent }: ToolResult): boolean {
  const state = structuredContent?.['state'];
  return typeof state === 'string' && GOING_ON.includes(state);
}
