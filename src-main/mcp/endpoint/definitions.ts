import type { Tool as ServedTool } from '@modelcontextprotocol/server';
import type { ToolDefinition } from '../../../src-shared/index.ts';

/**
 * A tool as `tools/list` shows it (2025-11-25 "Tool"; 2026-07-28 keeps the form). Schemas, annotations, icons and `_meta` go
 * out by reference, as their author wrote them.
 */
export function toServedTool(tool: ToolDefinition): ServedTool {
  const { name, title, description, inputSchema, outputSchema, annotations, icons, meta } = tool;
  const served = {
    name,
    ...(title !== undefined && { title }),
    ...(description && { description }),
    inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
    ...(icons && { icons }),
    ...(meta && { _meta: meta }),
  };
  // JSON Schema and icons are carried as they came; the SDK's types are narrower than what servers send.
  return served as ServedTool;
}
