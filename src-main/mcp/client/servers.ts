import { CausewayError, serverConfig, type ServerConfig, type ServerView } from '../../../src-shared/index.ts';
import { createEmitter, reapRunFolders } from '../../platform/index.ts';
import type { Tool } from '../../tools/index.ts';
import { createAttachedServer, createBrokenServer, type AttachedServer, type ServerParts } from './attached-server.ts';
import { openConfigFile } from './config/config-file.ts';
import { editServers } from './config/edit-servers.ts';
import { followConfig } from './config/follow-config.ts';
import type { ConfigEntry } from './config/parse-config.ts';
import type { Servers } from './contract.ts';
import { openEraMemory } from './era-memory.ts';
import { isPackageRunner } from './launch.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { nameTools } from './name-tools.ts';
import { SERVER_RUN_KIND } from './stdio-transport.ts';
import { isStdio } from './target.ts';

export interface ServersOptions {
  /** The `mcpServers` file; need not exist. */
  configPath: string;
  /** For records of running servers, and what is remembered of them. */
  runDir: string;
  /** As whom we introduce ourselves. */
  clientInfo: { name: string; version: string };
  /** Where `${env:X}` comes from, and PATH when `resolvePath` is not given. */
  env: NodeJS.ProcessEnv;
  /** The PATH in which commands are looked for, as the person's shell has it. */
  resolvePath?: () => Promise<string>;
  /** Where a server starts that names no folder: the workspace. */
  folder?: string;
  /** Servers that are there without standing in the config file, which can switch them off or replace them. */
  builtIn?: readonly ConfigEntry[];
  limits?: Partial<Limits>;
}

/** Who waits for servers does not wait longer for one that nobody chose, and that may be fetching its package. In milliseconds. */
const BUILT_IN_PATIENCE_MS = 5_000;

/** A tool with the server it is offered by. */
interface Offer {
  server: AttachedServer;
  tool: Tool;
}

/** The attached servers: reads the config at once, and launches nothing before `start()`. */
export function createServers(options: ServersOptions): Servers {
  const { runDir, clientInfo, env } = options;
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const configFile = openConfigFile(options.configPath);
  const changes = createEmitter<undefined>();
  const packages = createLimiter(limits.packageLaunches);
  const launches = createLimiter(limits.launches);
  const servers = new Map<string, AttachedServer>();
  /** Names of servers that are in no config file. */
  const ephemeral = new Set<string>();
  let offers: { lists: readonly unknown[]; all: Offer[]; tools: readonly Tool[] } | undefined;
  let reaped: Promise<unknown> | undefined;
  let disposed = false;

  const shared: Omit<ServerParts, 'limiter'> = {
    clientInfo,
    env,
    resolvePath: options.resolvePath ?? (() => Promise.resolve(env['PATH'] ?? '')),
    runDir,
    folder: options.folder,
    eras: openEraMemory(runDir),
    limits,
    onChange: () => changes.emit(undefined),
  };

  const builtIn = options.builtIn ?? [];
  const isBuiltIn = (wanted: string): boolean => builtIn.some(({ name }) => name === wanted);
  const config = followConfig({
    configFile,
    builtIn,
    servers,
    isEphemeral: (name) => ephemeral.has(name),
    make,
    launch,
    changed: () => changes.emit(undefined),
  });

  function make(entry: ConfigEntry): AttachedServer {
    if ('problem' in entry) return createBrokenServer(entry.name, entry.problem, configFile.path);
    return createAttachedServer(entry, { ...shared, limiter: limiterFor(entry.config) });
  }

  function limiterFor(config: ServerConfig): Limiter {
    const fetches = isStdio(config) && isPackageRunner(config.command);
    return async (work) => {
      // Leftovers of a crash hold ports and files that the new processes want: they go first.
      await (reaped ??= reapRunFolders(runDir, SERVER_RUN_KIND).catch(() => undefined));
      return fetches ? packages(() => launches(work)) : launches(work);
    };
  }

  async function launch(server: AttachedServer): Promise<void> {
    if (!disposed && servers.get(server.name) === server) await server.start();
  }

  function current(): NonNullable<typeof offers> {
    const known = [...servers.values()];
    const lists = known.map((server) => server.offered);
    if (offers?.lists.length === lists.length && lists.every((list, index) => list === offers?.lists[index]))
      return offers;
    const all = offer(known);
    // The same array until something changes: others compare by it.
    offers = { lists, all, tools: all.map(({ tool }) => tool) };
    return offers;
  }

  function view(server: AttachedServer): ServerView {
    const own = current().all.filter((item) => item.server === server);
    const tools = own.map(({ tool }) => ({
      name: tool.name,
      originalName: tool.origin.kind === 'server' ? tool.origin.originalName : tool.name,
      description: tool.description,
    }));
    return {
      ...server.view(),
      tools,
      ...(isBuiltIn(server.name) && { builtIn: true }),
    };
  }

  function known(name: string): AttachedServer {
    const server = servers.get(name);
    if (server) return server;
    throw new CausewayError('not_found', `There is no server named "${name}".`, {
      hint: servers.size > 0 ? `There are: ${[...servers.keys()].join(', ')}.` : 'None is attached yet.',
    });
  }

  async function attachAs(name: string, config: ServerConfig): Promise<ServerView> {
    const server = make({ name, config });
    servers.set(name, server);
    changes.emit(undefined);
    if (!config.disabled) await launch(server);
    return view(server);
  }

  function check(name: string, wanted: ServerConfig): ServerConfig {
    if (name.trim() === '') throw new CausewayError('bad_input', 'A server needs a name.');
    if (servers.has(name)) {
      throw new CausewayError('conflict', `There already is a server named "${name}".`, {
        hint: 'Choose another name, or remove that one first.',
      });
    }
    const parsed = serverConfig.safeParse(wanted);
    if (parsed.success) return parsed.data;
    throw new CausewayError('bad_input', 'A server needs a command to run, or an http or https URL.', {
      cause: parsed.error,
    });
  }

  config.load();

  return {
    start() {
      config.start();
      changes.emit(undefined);
    },
    list: () => [...servers.values()].map((server) => view(server)),
    tools: () => current().tools,
    instructions: () =>
      [...servers.values()].flatMap((server) => {
        const text = server.instructions();
        return text ? [{ server: server.name, text }] : [];
      }),
    async add(name, config) {
      const checked = check(name, config);
      configFile.add(name, checked);
      return attachAs(name, checked);
    },
    async attach(name, config) {
      const checked = check(name, config);
      ephemeral.add(name);
      return attachAs(name, checked);
    },
    async remove(name) {
      const server = known(name);
      if (!ephemeral.delete(name)) configFile.remove(name);
      servers.delete(name);
      changes.emit(undefined);
      await server.stop();
      // One that comes with Causeway is back then.
      await config.apply();
    },
    entries: () => config.entries().flatMap((entry) => ('config' in entry ? [entry] : [])),
    ...editServers({
      configFile,
      builtIn,
      apply: config.apply,
      check,
      viewOf: (name) => view(known(name)),
      isEphemeral: (name) => ephemeral.has(name),
    }),
    async restart(name) {
      const former = known(name);
      await former.stop();
      // The person may have mended the entry since.
      const entry = ephemeral.has(name) ? undefined : config.entries().find((item) => item.name === name);
      const server = entry ? make(entry) : former;
      servers.set(name, server);
      changes.emit(undefined);
      await launch(server);
      return view(server);
    },
    async settled({ deadlineMs, signal }) {
      const deadline = AbortSignal.timeout(deadlineMs);
      const given = signal ? AbortSignal.any([deadline, signal]) : deadline;
      const waits = (all: boolean): boolean =>
        [...servers.values()].some((server) => server.state === 'starting' && (all || !isBuiltIn(server.name)));
      const short = AbortSignal.any([given, AbortSignal.timeout(BUILT_IN_PATIENCE_MS)]);
      while (!short.aborted && waits(true)) await nextChange(short);
      while (!given.aborted && waits(false)) await nextChange(given);
    },
    onChange: (listener) => changes.on(() => listener()),
    async [Symbol.asyncDispose]() {
      disposed = true;
      config[Symbol.dispose]();
      await Promise.all([...servers.values()].map((server) => server.stop()));
      servers.clear();
    },
  };

  function nextChange(signal: AbortSignal): Promise<undefined> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const subscription = changes.on(() => resolve(undefined));
    const onAbort = (): void => resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    return promise.finally(() => {
      subscription[Symbol.dispose]();
      signal.removeEventListener('abort', onAbort);
    });
  }
}

/** Every tool of every server, in order, under a name of its own. */
function offer(servers: readonly AttachedServer[]): Offer[] {
  const found = servers.flatMap((server) => server.offered.map((tool) => ({ server, tool })));
  const names = nameTools(
    found.map(({ server, tool }) => ({
      server: server.name,
      tool: tool.name,
      plain: server.config?.['toolPrefix'] === false,
    })),
  );
  return found.map(({ server, tool }, index) => ({
    server,
    tool: {
      ...tool,
      name: names[index] ?? tool.name,
      origin: { kind: 'server', server: server.name, originalName: tool.name },
      execute: (input, context) => server.call(tool.name, input, context),
    },
  }));
}
