import type { CallToolRequest, CallToolResult, Progress, ServerContext } from '@modelcontextprotocol/server';
import { describeError, failure } from '../../../src-shared/index.ts';
import type { Gateway } from '../../tools/index.ts';
import type { HeldSession } from './app-sessions.ts';
import type { AppIdentity } from './contract.ts';
import { toCallToolResult } from './results.ts';
import type { ServedTools } from './served-tools.ts';

export interface CallParts {
  tools: ServedTools;
  gateway: Gateway;
  whyMissing?: ((name: string) => Error | undefined) | undefined;
  /** The app's session, in use for one call. @throws CausewayError when there is no room for one more. */
  startCall(app: AppIdentity): HeldSession;
}

/**
 * Takes one `tools/call` to the gateway and its result back. Whatever goes wrong is a result with `isError`, so that a model
 * can read it. The call ends early when the app cancels it or its connection closes.
 */
export async function callTool(
  { tools, gateway, whyMissing, startCall }: CallParts,
  app: AppIdentity,
  { name, arguments: input = {} }: CallToolRequest['params'],
  request: ServerContext['mcpReq'],
): Promise<CallToolResult> {
  if (!tools.find(name)) {
    const known = whyMissing?.(name);
    if (known) return toCallToolResult(failure(describeError(known)));
    const nearest = tools.nearest(name).map((known) => `"${known}"`);
    const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(' or ')}?` : '';
    return toCallToolResult(failure(`There is no tool "${name}".${hint}`));
  }
  try {
    using session = startCall(app);
    const progress = createProgress(request);
    const result = await gateway.call({
      sessionId: session.sessionId,
      caller: { kind: 'app', ...app },
      name,
      input,
      signal: request.signal,
      ...(progress && { onProgress: progress.report }),
    });
    await progress?.sent();
    return toCallToolResult(result);
  } catch (error) {
    return toCallToolResult(failure(describeError(error)));
  }
}

interface ProgressReports {
  report(progress: Progress): void;
  /** Resolves when every report is out: progress that follows its result is an error to some clients. */
  sent(): Promise<void>;
}

/** Undefined when the app did not ask for progress by a token. */
function createProgress(request: ServerContext['mcpReq']): ProgressReports | undefined {
  const progressToken = request._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = Promise.resolve();
  return {
    report(progress) {
      const sending = request.notify({ method: 'notifications/progress', params: { progressToken, ...progress } });
      // A connection that is gone ends the call by its signal; nothing is left to do here.
      const settled = sending.catch(() => undefined);
      last = last.then(() => settled);
    },
    sent: () => last,
  };
}
