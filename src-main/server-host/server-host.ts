import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SessionSummary } from '../../src-shared/index.ts';
import { sampleModel, type Model } from '../agent/index.ts';
import type { Desk } from '../approvals/index.ts';
import type { ServerHost } from '../mcp/client/index.ts';

/** The name of the session in which servers ask that do so by themselves. */
const OWN_SESSION = 'Attached servers';

/** What this app does for servers that ask: their questions wait at the desk, in the session whose call made them ask. */
export function createServerHost({
  desk,
  workspace,
  sessionFor,
  resolveModel,
}: {
  desk: Desk;
  workspace: string;
  sessionFor: (title: string) => SessionSummary;
  resolveModel: () => Model;
}): ServerHost {
  return {
    ask: (request, { server, call, signal }) =>
      desk.serverAsks(
        {
          server,
          signal,
          sessionId: call?.sessionId ?? sessionFor(OWN_SESSION).id,
          ...(call && { callId: call.callId }),
        },
        request,
      ),
    async sample(request, signal) {
      const model = resolveModel();
      return { model: model.name, text: await sampleModel(model, request, signal) };
    },
    roots: () => [{ uri: pathToFileURL(workspace).href, name: path.basename(workspace) }],
  };
}
