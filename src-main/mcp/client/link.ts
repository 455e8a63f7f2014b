import {
  Client,
  SdkError,
  SdkErrorCode,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import {
  CausewayError,
  type HttpServerConfig,
  type ServerConfig,
  type ServerView,
  type StdioServerConfig,
} from '../../../src-shared/index.ts';
import { withDeadline } from './deadline.ts';
import type { EraMemory } from './era-memory.ts';
import { expandText, expandValues } from './expand.ts';
import { httpStatus } from './failure.ts';
import { prepareLaunch } from './launch.ts';
import type { Limits } from './limits.ts';
import { createStdioTransport, type ProcessExit } from './stdio-transport.ts';
import { isStdio } from './target.ts';
import { VIEW_CAPABILITY } from './view-capability.ts';

/** A session that a server does not end in time is left to it, in milliseconds. */
const GOODBYE_MS = 1_000;

/** A connection to a server, past the handshake. */
export interface Link {
  readonly client: Client;
  readonly transport: ServerView['transport'];
  /** Resolves when the connection is gone, whoever ended it. */
  readonly closed: Promise<undefined>;
  /** Ends the connection and, for stdio, every process of the server. */
  close(): Promise<void>;
}

export interface LinkParts {
  clientInfo: { name: string; version: string };
  env: NodeJS.ProcessEnv;
  resolvePath(): Promise<string>;
  /** Where a server starts that names no folder. */
  folder: string | undefined;
  runDir: string;
  eras: EraMemory;
  limits: Limits;
}

export interface LinkOptions {
  config: ServerConfig;
  signal: AbortSignal;
  /** A process is about to be started; a second one when the first did not like how it was asked. */
  onLaunch(): void;
  onLog(line: string): void;
  /** The process ended by itself. Comes before the connection is known to be closed. */
  onExit(exit: ProcessExit): void;
  onToolsChanged(): void;
}

/** A way to reach a server, not yet connected. */
interface Attempt {
  transport: Transport;
  kind: ServerView['transport'];
  legacy: boolean;
  goodbye?: () => Promise<void>;
}

/**
 * Reaches a server the way its config says, and remembers what it spoke.
 * @throws CausewayError or the SDK's own error; nothing is left running then.
 */
export function openLink(options: LinkOptions, parts: LinkParts): Promise<Link> {
  return isStdio(options.config) ? openStdio(options.config, options, parts) : openHttp(options.config, options, parts);
}

async function openStdio(config: StdioServerConfig, options: LinkOptions, parts: LinkParts): Promise<Link> {
  const launch = await prepareLaunch(config, {
    env: parts.env,
    searchPath: await parts.resolvePath(),
    folder: parts.folder,
  });
  const { runDir, limits, eras } = parts;
  const { onLog, onExit, signal } = options;
  let exited = false;
  const run = (legacy: boolean): Promise<Link> => {
    options.onLaunch();
    const transport = createStdioTransport({
      launch,
      runDir,
      messageBytes: limits.messageBytes,
      stopMs: limits.stopMs,
      onLog,
      onExit(exit) {
        exited = true;
        onExit(exit);
      },
    });
    return connect({ transport, kind: 'stdio', legacy }, options, parts);
  };
  const known = eras.recall(config)?.legacy ?? false;
  try {
    return await run(known);
  } catch (error) {
    // Servers of the old protocol may end themselves at a question they do not know: they are asked theirs.
    const probed = !known && error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
    if (!probed || !exited || signal.aborted) throw error;
    return run(true);
  }
}

async function openHttp(config: HttpServerConfig, options: LinkOptions, parts: LinkParts): Promise<Link> {
  const url = new URL(expandText(config.url, parts.env));
  const requestInit = { headers: expandValues(config.headers, parts.env) };
  const known = parts.eras.recall(config);
  const sse = (): Promise<Link> =>
    connect({ transport: new SSEClientTransport(url, { requestInit }), kind: 'sse', legacy: true }, options, parts);
  if (config.type === 'sse' || (config.type === undefined && known?.sse)) return sse();

  const transport = new StreamableHTTPClientTransport(url, { requestInit });
  const goodbye = (): Promise<void> => transport.terminateSession();
  try {
    return await connect({ transport, kind: 'http', legacy: known?.legacy ?? false, goodbye }, options, parts);
  } catch (error) {
    // MCP 2025-11-25, "Transports: Backwards Compatibility": these three may mean a server of 2024-11-05.
    if (config.type !== undefined || ![400, 404, 405].includes(httpStatus(error) ?? 0)) throw error;
    return sse().catch(() => {
      throw error;
    });
  }
}

async function connect(attempt: Attempt, options: LinkOptions, { clientInfo, eras, limits }: LinkParts): Promise<Link> {
  const { transport, kind, goodbye } = attempt;
  const client = new Client(clientInfo, {
    capabilities: { extensions: VIEW_CAPABILITY },
    versionNegotiation: attempt.legacy ? { mode: 'legacy' } : { mode: 'auto', probe: { timeoutMs: limits.probeMs } },
    // On the new protocol this opens the subscription; the handler below hears those that were never announced.
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => options.onToolsChanged() } },
  });
  client.setNotificationHandler('notifications/tools/list_changed', () => options.onToolsChanged());
  const closed = Promise.withResolvers<undefined>();
  client.onclose = () => closed.resolve(undefined);

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= end());
  async function end(): Promise<void> {
    if (goodbye) await withDeadline(goodbye(), { ms: GOODBYE_MS }).catch(() => undefined);
    // Before the handshake the client may not have taken the transport over yet.
    await Promise.allSettled([client.close(), transport.close()]);
    closed.resolve(undefined);
  }

  try {
    await withDeadline(client.connect(transport, { timeout: limits.connectMs }), {
      ms: limits.connectMs,
      signal: options.signal,
      late: () => connectTooLate(limits.connectMs),
    });
  } catch (error) {
    await close();
    throw error;
  }
  eras.remember(options.config, {
    legacy: client.getProtocolEra() === 'legacy' && kind !== 'sse',
    sse: kind === 'sse',
  });
  client.onerror = (error) => {
    // The stream is the session (2024-11-05): a new one would be a new, unknown session.
    if (kind === 'sse' && error instanceof SseError) void close();
  };
  return { client, transport: kind, closed: closed.promise, close };
}

function connectTooLate(ms: number): CausewayError {
  return new CausewayError('timeout', `It did not answer within ${Math.round(ms / 1000)} seconds.`, {
    hint: 'If it was still downloading, restart it; else look at its last output.',
  });
}
