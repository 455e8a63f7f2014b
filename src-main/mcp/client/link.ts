import {
  SdkError,
  SdkErrorCode,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Client,
  type Transport,
} from '@modelcontextprotocol/client';
import {
  CausewayError,
  type HttpServerConfig,
  type ServerConfig,
  type ServerView,
  type StdioServerConfig,
} from '../../../src-shared/index.ts';
import { refuseOwnHeader, type Authorizer } from './auth/index.ts';
import { withDeadline } from './deadline.ts';
import type { EraMemory } from './era-memory.ts';
import { expandText, expandValues, type References } from './expand.ts';
import { httpStatus } from './failure.ts';
import { LenientClient } from './lenient-client.ts';
import { prepareLaunch, type Launch } from './launch.ts';
import { referencedSecrets, secretValues } from './launching/secrets.ts';
import type { Limits } from './limits.ts';
import { keepNotices, listenForNotices, logLevel, setLogLevel, type Notices } from './notices.ts';
import type { RequestSide } from './requests/index.ts';
import { createStdioTransport, type ProcessExit } from './stdio-transport.ts';
import { isStdio } from './target.ts';
import type { Traffic } from './traffic/traffic.ts';
import { VIEW_CAPABILITY } from './view-capability.ts';

/** A session that a server does not end in time is left to it, in milliseconds. */
const GOODBYE_MS = 1_000;

/** We list ourselves, and gather bursts ourselves. */
const EACH_CHANGE = { autoRefresh: false, debounceMs: 0 } as const;

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
  /** What the person gave for an input of the config file. */
  input: References['input'];
  resolvePath(): Promise<string>;
  /** Makes the launch one in a sandbox, where the entry says so. @throws CausewayError `refused` where that can not be. */
  confine(config: StdioServerConfig, launch: Launch): Launch;
  /** Where a server starts that names no folder. */
  folder: string | undefined;
  runDir: string;
  eras: EraMemory;
  limits: Limits;
  traffic: Traffic;
}

export interface LinkOptions extends Notices {
  config: ServerConfig;
  signal: AbortSignal;
  /** Signs in to a server behind a URL; undefined where nobody signs in. */
  authorizer?: Authorizer | undefined;
  /** A process is about to be started; a second one when the first did not like how it was asked. */
  onLaunch(): void;
  /** The process ended by itself. Comes before the connection is known to be closed. */
  onExit(exit: ProcessExit): void;
  /** What the server may ask for, and who answers. */
  requests: RequestSide;
  /** The program was found, and what is secret about the connection is known. */
  onPrepared(facts: { program: string | undefined; secrets: readonly string[] }): void;
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
  const { config } = options;
  if (isStdio(config)) return openStdio(config, options, parts);
  return openHttp(config, options, parts).catch((error: unknown) => {
    throw refuseOwnHeader(config, error);
  });
}

async function openStdio(config: StdioServerConfig, options: LinkOptions, parts: LinkParts): Promise<Link> {
  const prepared = await prepareLaunch(config, {
    env: parts.env,
    input: parts.input,
    workspace: parts.folder,
    searchPath: await parts.resolvePath(),
    folder: parts.folder,
  });
  options.onPrepared({ program: prepared.file, secrets: prepared.secrets });
  const launch = parts.confine(config, prepared);
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
  const references = { env: parts.env, input: parts.input, workspace: parts.folder };
  const url = new URL(expandText(config.url, references));
  const headers = expandValues(config.headers, references);
  options.onPrepared({
    program: undefined,
    secrets: [...secretValues(headers), ...referencedSecrets(config, references)],
  });
  const { authorizer } = options;
  const settings = {
    requestInit: { headers },
    ...(authorizer && { authProvider: authorizer.provider, fetch: authorizer.watch(fetch) }),
  };
  const known = parts.eras.recall(config);
  const sse = (): Promise<Link> =>
    connect({ transport: new SSEClientTransport(url, settings), kind: 'sse', legacy: true }, options, parts);
  if (config.type === 'sse' || (config.type === undefined && known?.sse)) return sse();

  const transport = new StreamableHTTPClientTransport(url, settings);
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

async function connect(attempt: Attempt, options: LinkOptions, parts: LinkParts): Promise<Link> {
  const { clientInfo, eras, limits, traffic } = parts;
  const { transport, kind, goodbye } = attempt;
  traffic.tap(transport);
  const client = new LenientClient(clientInfo, {
    capabilities: { ...options.requests.capabilities, extensions: VIEW_CAPABILITY },
    inputRequired: { autoFulfill: false },
    versionNegotiation: attempt.legacy ? { mode: 'legacy' } : { mode: 'auto', probe: { timeoutMs: limits.probeMs } },
    // On the new protocol this opens the subscription; the handler below hears those that were never announced.
    listChanged: {
      tools: { ...EACH_CHANGE, onChanged: () => options.onToolsChanged() },
      resources: { ...EACH_CHANGE, onChanged: () => options.onOffersChanged('resources') },
      prompts: { ...EACH_CHANGE, onChanged: () => options.onOffersChanged('prompts') },
    },
  });
  listenForNotices(client, options);
  options.requests.listen(client);
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
  setLogLevel(client, logLevel(options.config), limits.connectMs);
  void keepNotices(client, options, options.signal);
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
