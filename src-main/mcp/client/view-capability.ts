import { VIEW_MIME_TYPE } from '../../../src-shared/index.ts';

/** Says that Causeway shows views (MCP Apps 2026-01-26, "Client (Host) Capabilities"). */
export const VIEW_CAPABILITY = { 'io.modelcontextprotocol/ui': { mimeTypes: [VIEW_MIME_TYPE] } };
