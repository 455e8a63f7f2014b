import {
  CausewayError,
  type JsonObject,
  type ServerConfig,
  type ServerState,
  type ServerView,
  type ToolResult,
} from '../../../src-shared/index.ts';
import type { ToolContext } from '../../tools/index.ts';
import { callTool } from './call-tool.ts';
import { withDeadline } from './deadline.ts';
import { explainCall, explainServer, httpStatus, isUnreachable } from './failure.ts';
import type { Limiter } from './limiter.ts';
import { createLineRing } from './line-ring.ts';
import { openLink, type Link, type LinkParts } from './link.ts';
import { listTools, type ServerTool } from './list-tools.ts';
import type { ProcessExit } from './stdio-transport.ts';
import { describeTarget, isStdio } from './target.ts';

/** Lines of stderr that are kept. */
const STDERR_LINES = 50;
/** Changes that a server announces in a burst are fetched once, this many milliseconds after the first. */
const REFRESH_MS = 100;
/** How long a server that could not be reached has to answer a ping, in milliseconds. */
const PING_MS = 3_000;

/** A server of the config, or attached for this process: its state, and its tools while it is ready. */
export interface AttachedServer {
  readonly name: string;
  /** Undefined for an entry that can not be understood. */
  readonly config: ServerConfig | undefined;
  readonly state: ServerState;
  /** The same array until something changes. */
  readonly offered: readonly ServerTool[];
  view(): Omit<ServerView, 'tools'>;
  instructions(): string | undefined;
  /** Resolves when it is ready or has failed; never rejects. */
  start(): Promise<void>;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
  /** @throws CausewayError */
  call(tool: string, input: JsonObject, context: Pick<ToolContext, 'signal' | 'output'>): Promise<ToolResult>;
}

export interface ServerParts extends LinkParts {
  /** Waits for a turn to launch. */
  limiter: Limiter;
  onChange(): void;
}

/** What is known of a server that is ready. */
interface Ready {
  link: Link;
  instructions: string | undefined;
  info: { name: string; version: string } | undefined;
  connectMs: number;
}

const NO_TOOLS: readonly ServerTool[] = [];

/**
 * @param note what to say of the entry itself, whatever state it is in.
 */
export function createAttachedServer(
  { name, config, note }: { name: string; config: ServerConfig; note?: string | undefined },
  parts: ServerParts,
): AttachedServer {
  const { limits } = parts;
  const target = describeTarget(config);
  const stderr = createLineRing(STDERR_LINES);
  let state: ServerState = 'off';
  let message: string | undefined = config.disabled ? 'It is switched off.' : undefined;
  let ready: Ready | undefined;
  let offered = NO_TOOLS;
  let exit: ProcessExit | undefined;
  let running: { stop: AbortController; done: Promise<void> } | undefined;
  let refreshing: NodeJS.Timeout | undefined;

  function change(next: ServerState, why: string | undefined): void {
    state = next;
    message = why;
    if (next !== 'ready') {
      ready = undefined;
      offered = NO_TOOLS;
      clearTimeout(refreshing);
      refreshing = undefined;
    }
    parts.onChange();
  }

  async function run(signal: AbortSignal): Promise<void> {
    forget();
    change('starting', undefined);
    let link: Link | undefined;
    try {
      const begun = await parts.limiter(() => connect(signal));
      link = begun.link;
      const { tools, problems } = await listTools(link.client, { limits, signal });
      signal.throwIfAborted();
      ready = begun;
      offered = tools;
      change('ready', problems.join(' ') || undefined);
      void watch(begun, signal);
    } catch (error) {
      await link?.close();
      if (!signal.aborted) change('failed', explain(error));
    }
  }

  async function connect(signal: AbortSignal): Promise<Ready> {
    signal.throwIfAborted();
    const start = performance.now();
    const onToolsChanged = (): void => scheduleRefresh(signal);
    const onLog = (line: string): void => stderr.push(line);
    const onExit = (how: ProcessExit): void => {
      exit = how;
    };
    const link = await openLink({ config, signal, onLaunch: forget, onLog, onExit, onToolsChanged }, parts);
    const info = link.client.getServerVersion();
    return {
      link,
      instructions: cut(link.client.getInstructions(), limits.instructionsLength),
      info: info && { name: info.name, version: info.version },
      connectMs: Math.round(performance.now() - start),
    };
  }

  /** Sees the end of a connection that nobody here asked for. */
  async function watch(current: Ready, signal: AbortSignal): Promise<void> {
    await current.link.closed;
    if (signal.aborted || ready !== current) return;
    const clean = exit === undefined || exit.code === 0;
    change(clean ? 'stopped' : 'failed', explain(new CausewayError('unavailable', 'The connection was closed.')));
    await current.link.close();
  }

  /** What an earlier process said is not this one's. */
  function forget(): void {
    stderr.clear();
    exit = undefined;
  }

  function explain(error: unknown): string {
    return explainServer({ target, exit, error, stderr: stderr.lines() });
  }

  function scheduleRefresh(signal: AbortSignal): void {
    refreshing ??= setTimeout(() => {
      refreshing = undefined;
      void refresh(signal);
    }, REFRESH_MS);
  }

  async function refresh(signal: AbortSignal): Promise<void> {
    const current = ready;
    if (!current) return;
    try {
      const { tools, problems } = await listTools(current.link.client, { limits, signal });
      if (ready !== current) return;
      offered = tools;
      change('ready', problems.join(' ') || undefined);
    } catch (error) {
      if (ready === current) change('ready', `Its tools changed, but could not be listed again. ${explain(error)}`);
    }
  }

  async function call(
    tool: string,
    input: JsonObject,
    context: Pick<ToolContext, 'signal' | 'output'>,
  ): Promise<ToolResult> {
    const current = ready;
    if (!current) {
      throw new CausewayError('unavailable', `The server "${name}" is not running. ${message ?? ''}`.trim(), {
        hint: 'Restart it on the Servers page.',
      });
    }
    try {
      return await callTool(current.link.client, { server: name, tool, input, limits }, context);
    } catch (error) {
      if (httpStatus(error) === 404 || isUnreachable(error)) void verify(current);
      throw explainCall(error, { server: name, tool, idleMs: limits.callIdleMs, stderr: stderr.lines() });
    }
  }

  /** Over HTTP nothing tells that a server is gone, or that it forgot the session, but its silence. */
  async function verify(current: Ready): Promise<void> {
    const { client } = current.link;
    const asked =
      client.getProtocolEra() === 'modern' ? client.discover({ timeout: PING_MS }) : client.ping({ timeout: PING_MS });
    try {
      await withDeadline(asked, { ms: PING_MS });
    } catch (error) {
      if (ready !== current) return;
      change('stopped', explain(error));
      await current.link.close();
    }
  }

  return {
    name,
    config,
    get state() {
      return state;
    },
    get offered() {
      return offered;
    },
    view() {
      const said = [message, note].filter((sentence) => sentence !== undefined).join(' ');
      return {
        name,
        state,
        transport: ready?.link.transport ?? configuredTransport(config),
        target,
        stderr: stderr.lines(),
        ...(said && { message: said }),
        ...(ready?.instructions !== undefined && { instructions: ready.instructions }),
        ...(ready?.info && { serverInfo: ready.info }),
        ...(ready && { connectMs: ready.connectMs }),
      };
    },
    instructions: () => ready?.instructions,
    start() {
      if (running && (state === 'starting' || state === 'ready')) return running.done;
      const stop = new AbortController();
      const done = run(stop.signal);
      running = { stop, done };
      return done;
    },
    async stop() {
      const link = ready?.link;
      running?.stop.abort(new CausewayError('cancelled', 'The server was stopped.'));
      change('stopped', undefined);
      await Promise.all([link?.close(), running?.done]);
    },
    call,
  };
}

/** An entry of the config that can not be understood: shown, never started. */
export function createBrokenServer(name: string, problem: string, target: string): AttachedServer {
  return {
    name,
    config: undefined,
    state: 'failed',
    offered: NO_TOOLS,
    view: () => ({ name, state: 'failed', message: problem, transport: 'stdio', target, stderr: [] }),
    instructions: () => undefined,
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    call: () => Promise.reject(new CausewayError('unavailable', problem)),
  };
}

function configuredTransport(config: ServerConfig): ServerView['transport'] {
  if (isStdio(config)) return 'stdio';
  return config.type === 'sse' ? 'sse' : 'http';
}

function cut(text: string | undefined, length: number): string | undefined {
  return text !== undefined && text.length > length ? `${text.slice(0, length)} [cut]` : text;
}
