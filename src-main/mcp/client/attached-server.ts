import { isDeepStrictEqual } from 'node:util';
import {
  CausewayError,
  describeError,
  type JsonObject,
  type ResourceContents,
  type ServerConfig,
  type ServerState,
  type ServerView,
  type ToolResult,
} from '../../../src-shared/index.ts';
import { callTool, type CallContext } from './call-tool.ts';
import { ProtocolError } from '@modelcontextprotocol/client';
import { paceProgress } from './alive/paced-progress.ts';
import { createRestarts } from './alive/restarts.ts';
import { limitsOf } from './alive/server-limits.ts';
import type { ToolMemory } from './alive/tool-memory.ts';
import type { SecretStore } from '../../store/index.ts';
import { createServerSignIn, type ServerSignIn } from './auth/index.ts';
import { withDeadline } from './deadline.ts';
import { expandText } from './expand.ts';
import { explainCall, explainServer, httpStatus, isUnreachable } from './failure.ts';
import { isSandboxed } from './launching/sandboxed.ts';
import { createMask } from './launching/secrets.ts';
import type { Limiter } from './limiter.ts';
import { createLineRing } from './line-ring.ts';
import { openLink, type Link, type LinkOptions, type LinkParts } from './link.ts';
import { listTools, type ServerTool } from './list-tools.ts';
import { logLevel, type Notices } from './notices.ts';
import { createOffersSide, type OffersSide } from './offers/index.ts';
import { createRequestSide, type ServerHost } from './requests/index.ts';
import { JUNK, OWN_WORDS, type ProcessExit } from './stdio-transport.ts';
import { readResource } from './read-resource.ts';
import { describeTarget, isStdio } from './target.ts';

/** Lines of stderr that are kept. */
const STDERR_LINES = 50;
/** Changes that a server announces in a burst are fetched once, this many milliseconds after the first. */
const REFRESH_MS = 100;
/** A server of the config, or attached for this process: its state, and its tools while it is ready. */
export interface AttachedServer extends Pick<ServerSignIn, 'signIn' | 'cancelSignIn' | 'signOut' | 'forget'> {
  readonly name: string;
  /** Undefined for an entry that can not be understood. */
  readonly config: ServerConfig | undefined;
  readonly state: ServerState;
  /** The same array until something changes. While it starts these are the tools that it last listed; a call of one waits for it. */
  readonly offered: readonly ServerTool[];
  view(): Omit<ServerView, 'tools'>;
  instructions(): string | undefined;
  /** Resolves when it is ready or has failed; never rejects. */
  start(): Promise<void>;
  /** Resolves when nothing of it runs any more. @param why what to say of it from then on. */
  stop(why?: string): Promise<void>;
  /** Asks one that is ready for a sign of life; what is gone is started again. Never rejects. */
  verify(): Promise<void>;
  /** @throws CausewayError */
  call(tool: string, input: JsonObject, context: CallContext): Promise<ToolResult>;
  /** What it offers beside tools. Undefined for an entry that can not be understood. */
  readonly offers: OffersSide | undefined;
  /** Lists its tools again, for a server that may have changed them without a word. Never rejects. */
  relist(): Promise<void>;
  /** @throws CausewayError */
  readResource(uri: string): Promise<ResourceContents[]>;
}

export interface ServerParts extends LinkParts {
  /** Waits for a turn to launch. */
  limiter: Limiter;
  /** Answers what the server asks; without it nobody does. */
  host: ServerHost | undefined;
  tools: ToolMemory;
  secrets: SecretStore;
  clientMetadataUrl: string | undefined;
  onChange(): void;
  /** Resources or prompts came, went or changed. */
  onOffers(): void;
  onResourceUpdated(server: string, uri: string): void;
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
  shared: ServerParts,
): AttachedServer {
  const { limits, callOf, problem } = limitsOf(config, shared.limits);
  const parts = { ...shared, limits };
  const { traffic } = parts;
  const level = logLevel(config);
  const target = describeTarget(config);
  const stderr = createLineRing(STDERR_LINES);
  const requests = createRequestSide({ name, config }, parts.host);
  const offers = createOffersSide({ server: name, limits, requests, onChange: () => parts.onOffers() });
  const restarts = createRestarts(limits);
  let state: ServerState = 'off';
  let message: string | undefined = config.disabled ? 'It is switched off.' : undefined;
  let ready: Ready | undefined;
  let offered = NO_TOOLS;
  /** What it last listed, from whatever start. */
  let known: readonly ServerTool[] | undefined;
  let exit: ProcessExit | undefined;
  let program: string | undefined;
  let mask = createMask([]);
  let running: { stop: AbortController; done: Promise<void> } | undefined;
  let refreshing: NodeJS.Timeout | undefined;
  /** The connection that is being given up: the next start waits for it, so that no two programs hold one port or file. */
  let ending: Promise<void> | undefined;
  let calls = 0;
  const waiting = new Set<() => void>();
  const signIn = createServerSignIn(
    { name, config },
    { ...parts, expand: (text) => expandText(text, { env: parts.env, input: parts.input, workspace: parts.folder }) },
    {
      get state() {
        return state;
      },
      get message() {
        return message;
      },
      get signal() {
        return running?.stop.signal;
      },
      change,
      start,
      end: () => end('You signed out of the server.'),
    },
  );

  function change(next: ServerState, why: string | undefined): void {
    state = next;
    message = why === undefined ? undefined : mask(why);
    if (next !== 'ready') {
      if (ready) offers.use(undefined, AbortSignal.abort());
      ready = undefined;
      offered = isComing() ? remembered() : NO_TOOLS;
      clearTimeout(refreshing);
      refreshing = undefined;
    }
    for (const wake of [...waiting]) wake();
    parts.onChange();
  }

  /** True while there is something to wait for. */
  function isComing(): boolean {
    return state === 'starting' || restarts.pending;
  }

  function remembered(): readonly ServerTool[] {
    if (offered.length > 0 && offered.every((tool) => tool.remembered)) return offered;
    return (known ??= parts.tools.recall(name, config))?.map((tool) => ({ ...tool, remembered: true })) ?? NO_TOOLS;
  }

  function begin(): Promise<void> {
    const stop = new AbortController();
    const done = run(stop.signal);
    running = { stop, done };
    return done;
  }

  async function run(signal: AbortSignal): Promise<void> {
    forgetOutput();
    change('starting', undefined);
    let link: Link | undefined;
    try {
      await ending;
      const begun = await parts.limiter(() => connect(signal));
      link = begun.link;
      const { tools, problems } = await listTools(link.client, listOptions(link, signal));
      signal.throwIfAborted();
      ready = begun;
      offer(tools);
      restarts.up();
      change('ready', problems.join(' ') || undefined);
      offers.use(begun.link.client, signal);
      void watch(begun, signal);
    } catch (error) {
      await link?.close();
      if (signal.aborted || signIn.startFailed(error)) return;
      // One that never came up has a cause that another start does not mend.
      if (restarts.wasUp) await goDown('failed', error);
      else change('failed', explain(error));
    }
  }

  /** It is gone without anybody having asked for that, and is started again after a while. */
  async function goDown(next: 'failed' | 'stopped', error: unknown, link?: Link): Promise<void> {
    ending = link?.close();
    change(
      next,
      explain(
        error,
        restarts.plan(() => void begin()),
      ),
    );
    await ending;
  }

  function offer(tools: readonly ServerTool[]): void {
    offered = tools;
    known = tools;
    parts.tools.remember(name, config, tools);
  }

  async function connect(signal: AbortSignal): Promise<Ready> {
    signal.throwIfAborted();
    const start = performance.now();
    const onToolsChanged = (): void => scheduleRefresh(signal);
    const onLog = (line: string): void => {
      const shown = mask(line);
      stderr.push(shown);
      traffic.line(shown.startsWith(JUNK) ? 'junk' : shown.startsWith(OWN_WORDS) ? 'note' : 'stderr', shown);
    };
    const onExit = (how: ProcessExit): void => {
      exit = how;
    };
    const notices: Notices = {
      onLog,
      onToolsChanged,
      onOffersChanged: (what) => offers.changed(what),
      onResourceUpdated: (uri) => parts.onResourceUpdated(name, uri),
    };
    const onPrepared: LinkOptions['onPrepared'] = (facts) => {
      program = facts.program;
      mask = createMask(facts.secrets);
      traffic.setMask(mask);
    };
    const authorizer = signIn.authorizer();
    const link = await openLink(
      { config, signal, authorizer, onLaunch: forgetOutput, onExit, onPrepared, requests, ...notices },
      parts,
    );
    const info = link.client.getServerVersion();
    return {
      link,
      instructions: cut(link.client.getInstructions(), limits.instructionsLength),
      info: info && { name: info.name, version: info.version },
      connectMs: Math.round(performance.now() - start),
    };
  }

  function listOptions(link: Link, signal: AbortSignal): Parameters<typeof listTools>[1] {
    return { limits, signal, overHttp: link.transport !== 'stdio' };
  }

  /** Sees the end of a connection that nobody here asked for. */
  async function watch(current: Ready, signal: AbortSignal): Promise<void> {
    await current.link.closed;
    if (signal.aborted || ready !== current) return;
    const clean = exit === undefined || exit.code === 0;
    const error = new CausewayError('unavailable', 'The connection was closed.');
    await goDown(clean ? 'stopped' : 'failed', error, current.link);
  }

  /** What an earlier process said is not this one's. */
  function forgetOutput(): void {
    stderr.clear();
    exit = undefined;
  }

  function explain(error: unknown, next?: string): string {
    return explainServer({ target, exit, error, stderr: stderr.lines(), next });
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
      const { tools, problems } = await listTools(current.link.client, listOptions(current.link, signal));
      if (ready !== current) return;
      const said = problems.join(' ') || undefined;
      // Others compare by the array: the same tools are the same array.
      if (isDeepStrictEqual(tools, offered) && said === message) return;
      offer(tools);
      change('ready', said);
    } catch (error) {
      if (ready === current) change('ready', `Its tools changed, but could not be listed again. ${explain(error)}`);
    }
  }

  async function call(tool: string, input: JsonObject, context: CallContext): Promise<ToolResult> {
    await signIn.beforeCall(context.signal, limits.callIdleMs);
    const current = ready ?? (await waitUntilReady(tool, context));
    const callLimits = callOf(tool);
    calls += 1;
    using paced = paceProgress((progress) => context.output.progress(progress));
    const output = { ...context.output, progress: paced.progress };
    try {
      const definition = offered.find((item) => item.name === tool) ?? { name: tool, inputSchema: {} };
      return await callTool(
        current.link.client,
        { server: name, tool: definition, input, limits: callLimits, requests, level },
        { ...context, output },
      );
    } catch (error) {
      const refused = signIn.callFailed(error, ready === current);
      if (refused) {
        if (ready !== current) void current.link.close();
        throw refused;
      }
      const failure = explainCall(error, { server: name, tool, idleMs: callLimits.callIdleMs, stderr: stderr.lines() });
      if (httpStatus(error) === 404 || isUnreachable(error) || failure.code === 'timeout') void verify(current);
      throw failure;
    } finally {
      calls -= 1;
    }
  }

  /** For a call of a tool that was offered before its server is there. Nothing was sent yet. */
  async function waitUntilReady(
    tool: string,
    { signal, output }: Parameters<AttachedServer['call']>[2],
  ): Promise<Ready> {
    if (isComing()) output.progress({ progress: 0, message: `Waiting for the server "${name}" to start` });
    const end = AbortSignal.any([signal, AbortSignal.timeout(limits.connectMs + limits.listMs)]);
    while (isComing() && !end.aborted) await nextChange(end);
    if (signal.aborted) throw new CausewayError('cancelled', `The call of "${tool}" was stopped.`);
    if (ready && ready.link.client.getServerCapabilities()?.tools && !offered.some((item) => item.name === tool)) {
      throw new CausewayError('not_found', `The server "${name}" has started, and has no tool "${tool}" any more.`);
    }
    if (ready) return ready;
    if (isComing()) throw new CausewayError('timeout', `The server "${name}" is still starting. Nothing was called.`);
    throw new CausewayError('unavailable', `The server "${name}" is not running. ${message ?? ''}`.trim(), {
      hint: 'Restart it on the Servers page.',
    });
  }

  async function nextChange(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const wake = (): void => resolve(undefined);
    waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    await promise;
    waiting.delete(wake);
    signal.removeEventListener('abort', wake);
  }

  /** Over HTTP nothing tells that a server is gone, or that it forgot the session, but its silence; a process can hang. */
  async function verify(current: Ready): Promise<void> {
    const { client } = current.link;
    const { pingMs } = limits;
    const asked =
      client.getProtocolEra() === 'modern' ? client.discover({ timeout: pingMs }) : client.ping({ timeout: pingMs });
    try {
      await withDeadline(asked, { ms: pingMs });
    } catch (error) {
      // An answer is a sign of life, whatever it says. What others wait for may still come: the last of them looks again.
      const alive = error instanceof ProtocolError || (httpStatus(error) ?? 404) !== 404;
      if (ready !== current || alive || calls > 0) return;
      await goDown('stopped', error, current.link);
    }
  }

  function start(): Promise<void> {
    if (running && (state === 'starting' || state === 'ready')) return running.done;
    restarts.reset();
    return begin();
  }

  async function end(why: string): Promise<void> {
    const link = ready?.link;
    restarts.reset();
    running?.stop.abort(new CausewayError('cancelled', why));
    await Promise.all([link?.close(), ending, running?.done]);
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
      // What is to be done stands at the end.
      const said = [note, problem, message, state === 'ready' ? signIn.more : undefined]
        .filter((sentence) => sentence !== undefined)
        .join(' ');
      return {
        name,
        state,
        transport: ready?.link.transport ?? configuredTransport(config),
        target,
        stderr: stderr.lines(),
        ...(said && { message: said }),
        ...(program !== undefined && { program }),
        ...(isStdio(config) && isSandboxed(config) && { sandboxed: true }),
        ...(offered.some((tool) => tool.remembered) && { remembered: true }),
        ...(ready?.instructions !== undefined && { instructions: ready.instructions }),
        ...(ready?.info && { serverInfo: ready.info }),
        ...(ready && { connectMs: ready.connectMs }),
        ...(signIn.state && { signIn: signIn.state }),
      };
    },
    instructions: () => ready?.instructions,
    start,
    async stop(why) {
      signIn.cancelSignIn();
      const ended = end('The server was stopped.');
      change('stopped', why);
      await ended;
    },
    async verify() {
      if (ready) await verify(ready);
    },
    signIn: signIn.signIn,
    cancelSignIn: signIn.cancelSignIn,
    signOut: signIn.signOut,
    async forget() {
      parts.tools.forget(name, config);
      await signIn.forget();
    },
    call,
    offers,
    relist: () => (running && ready ? refresh(running.stop.signal) : Promise.resolve()),
    async readResource(uri) {
      if (!ready) throw new CausewayError('unavailable', `The server "${name}" is not running.`);
      try {
        return await readResource(ready.link.client, uri);
      } catch (error) {
        throw new CausewayError('protocol', `The server "${name}" did not give ${uri}: ${describeError(error)}`, {
          cause: error,
        });
      }
    },
  };
}

function configuredTransport(config: ServerConfig): ServerView['transport'] {
  if (isStdio(config)) return 'stdio';
  return config.type === 'sse' ? 'sse' : 'http';
}

function cut(text: string | undefined, length: number): string | undefined {
  return text !== undefined && text.length > length ? `${text.slice(0, length)} [cut]` : text;
}
