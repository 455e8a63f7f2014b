import type { CallToolResult } from '@modelcontextprotocol/server';
import { text, type ToolResult } from '../../../src-shared/index.ts';

/**
 * A tool result as MCP carries it: every content part in order, structured content and `_meta` untouched. Causeway's own note
 * to the model, which MCP has no field for, becomes one more text part at the end.
 */
export function toCallToolResult(result: ToolResult): CallToolResult {
  const { content, system, structuredContent, meta, isError } = result;
  const parts = system ? [...content, text(system)] : content;
  return {
    // Ours are looser than the SDK's, so that later fields pass; its server checks them before they leave.
    content: parts as CallToolResult['content'],
    ...(structuredContent && { structuredContent }),
    ...(meta && { _meta: meta }),
    ...(isError && { isError }),
  };
}
