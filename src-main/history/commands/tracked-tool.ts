import type { JsonObject, ToolResult } from '../../../src-shared/index.ts';
import type { Tool } from '../../tools/index.ts';
import type { CommandSnapshots } from './snapshots.ts';

/** States of a result whose command still runs. */
const GOING_ON = ['running', 'waiting'];

/**
 * The same tool, with what it does to the files of the workspace made into edits of the call. What could not be covered stands in
 * the result.
 */
export function trackChanges(
  tool: Tool,
  { snapshots, enabled }: { snapshots: CommandSnapshots; enabled: () => boolean },
): Tool {
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
        if (result && note !== undefined)
          result = { ...result, system: [result.system, note].filter(Boolean).join('\n') };
      }
      return result;
    },
  };
}

function goesOn({ structuredContent }: ToolResult): boolean {
  const state = structuredContent?.['state'];
  return typeof state === 'string' && GOING_ON.includes(state);
}
