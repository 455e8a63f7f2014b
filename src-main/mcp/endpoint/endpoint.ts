import type { Server } from '@modelcontextprotocol/server';
import { createAppSessions, type HeldSession } from './app-sessions.ts';
import { callTool } from './calls.ts';
import type { AppIdentity, Connection, Endpoint, EndpointParts } from './contract.ts';
import { toServedTool } from './definitions.ts';
import { identify } from './identity.ts';
import { LosslessServer } from './lossless-server.ts';
import { createServedTools } from './served-tools.ts';

/** What Causeway serves to other apps. Give it to `serveStdio` or `createHttpEndpoint`. */
export function createEndpoint(parts: EndpointParts): Endpoint {
  const tools = createServedTools(parts);
  const sessions = createAppSessions(parts.openSession);
  const { gateway, whyMissing } = parts;

  function open({ via, era, lasts }: Connection): Server {
    const server = new LosslessServer(parts.serverInfo, { capabilities: { tools: { listChanged: true } } });
    const held = new Map<string, HeldSession>();
    let watch: Disposable | undefined;

    /** A connection keeps its app's session open from the first call to its end. */
    function startCall(app: AppIdentity): HeldSession {
      if (lasts === 'connection' && !held.has(app.id)) held.set(app.id, sessions.hold(app));
      return sessions.startCall(app);
    }

    function watchTools(): void {
      // A client that is gone hears nothing; its connection closes by itself.
      watch ??= tools.onChange(() => void server.sendToolListChanged().catch(() => undefined));
    }

    server.setRequestHandler('tools/list', () => ({ tools: tools.all().map(toServedTool) }));
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const app = identify(via, { envelope: mcpReq.envelope, clientInfo: server.getClientVersion() });
      const result = await callTool({ tools, gateway, whyMissing, startCall }, app, params, mcpReq);
      return server.projectCallToolResult(result, tools.find(params.name)?.outputSchema);
    });
    server.onclose = () => {
      watch?.[Symbol.dispose]();
      for (const session of held.values()) session[Symbol.dispose]();
      held.clear();
    };
    if (lasts === 'connection') {
      if (era === 'legacy') server.oninitialized = watchTools;
      else watchTools();
    }
    return server;
  }

  return { open, onToolsChanged: tools.onChange, [Symbol.dispose]: () => sessions[Symbol.dispose]() };
}
