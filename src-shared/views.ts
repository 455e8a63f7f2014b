import { z } from 'zod';
import { blobRef } from './content.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { toolResult } from './result.ts';
import { toolDefinition, type ToolDefinition } from './tool.ts';

/** The only kind of resource that is shown as a view (MCP Apps 2026-01-26, "UI Resource Format"). */
export const VIEW_MIME_TYPE = 'text/html;profile=mcp-app';

const jsonObject = z.custom<JsonObject>(isJsonObject);
const domains = z.array(z.string().max(300)).max(50);

/** The hosts that a view says it needs, each as an origin. What is not named here it can not reach. */
export const viewDomains = z.object({
  /** For fetch and web sockets. */
  connect: domains,
  /** For scripts, styles, pictures, fonts and media. */
  resource: domains,
  /** For frames within it. */
  frame: domains,
  baseUri: domains,
});
export type ViewDomains = z.infer<typeof viewDomains>;

/** What a view's resource says of itself, as far as Causeway keeps to it. */
export const viewLook = z.object({
  domains: viewDomains,
  /** Domains it asked for and does not get. */
  refused: domains,
  /** What it asked for by name and does not get: camera, microphone, geolocation, clipboardWrite. */
  permissions: z.array(z.string().max(50)).max(20),
  border: z.boolean().optional(),
});
export type ViewLook = z.infer<typeof viewLook>;

/** The view of a tool call as the log keeps it: its page by hash, or why there is none. */
export const keptView = z.object({
  uri: z.string(),
  page: blobRef.optional(),
  look: viewLook.optional(),
  /** Why the page could not be had, in a sentence. */
  problem: z.string().optional(),
});
export type KeptView = z.infer<typeof keptView>;

/** A view that is about to be shown. */
export const openView = z.object({
  /** The page that frames it, on an origin of its own. */
  frame: z.url(),
  html: z.string(),
  look: viewLook,
  /** The tool whose call it shows; undefined when its server does not offer it any more. */
  tool: toolDefinition.optional(),
});
export type OpenView = z.infer<typeof openView>;

/** One piece of a resource, as its server gave it. */
export const resourceContents = z.looseObject({
  uri: z.string(),
  mimeType: z.string().optional(),
  text: z.string().optional(),
  /** Base64. */
  blob: z.string().optional(),
});
export type ResourceContents = z.infer<typeof resourceContents>;

/** What a view wants the model to know: untrusted text, told with the person's next message unless they object. */
export const viewContext = z.object({ text: z.string().max(16_000) });

const ofCall = { sessionId: z.string().min(1), callId: z.string().min(1) };
const nothing = z.object({});

/** Methods for the view of a tool call. Whatever a view asks for is asked here, with the call it belongs to. */
export const viewContract = {
  'view.open': { input: z.object(ofCall), output: openView },
  /** The result of the view's call, whole. */
  'view.result': { input: z.object(ofCall), output: toolResult },
  /** Calls a tool of the same server for the view: approved and recorded like every call, under the id `id`. */
  'view.call': {
    input: z.object({ ...ofCall, id: z.uuid(), tool: z.string().min(1).max(500), input: jsonObject }),
    output: toolResult,
  },
  /** Reads a resource of the same server for the view. */
  'view.read': {
    input: z.object({ ...ofCall, uri: z.string().min(1).max(4000) }),
    output: z.object({ contents: z.array(resourceContents) }),
  },
  /** What the model is told with the next message, in place of what this view said before; null takes it back. */
  'view.tell': { input: z.object({ ...ofCall, context: viewContext.nullable() }), output: nothing },
} satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

/** The `ui://` resource that shows the calls of a tool; undefined when it has none. */
export function viewUriOf({ meta }: Pick<ToolDefinition, 'meta'>): string | undefined {
  const ui = meta?.['ui'];
  // The flat form is that of drafts; servers still write both.
  const uri = (isJsonObject(ui) ? ui['resourceUri'] : undefined) ?? meta?.['ui/resourceUri'];
  return typeof uri === 'string' && uri.startsWith('ui://') ? uri : undefined;
}

/** Whether a tool may be called by models, or by views of its own server. Unless it says otherwise it may by both. */
export function isVisibleTo({ meta }: Pick<ToolDefinition, 'meta'>, whom: 'model' | 'app'): boolean {
  const ui = meta?.['ui'];
  const visibility = isJsonObject(ui) ? ui['visibility'] : undefined;
  return !Array.isArray(visibility) || visibility.includes(whom);
}
