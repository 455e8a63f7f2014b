import { setImmediate } from 'node:timers/promises';
import { CausewayError, serverConfig, type ServerConfig, type ServerView } from '../../../src-shared/index.ts';
import { createEmitter, reapRunFolders } from '../../platform/index.ts';
import type { Tool } from '../../tools/index.ts';
import type { SecretStore } from '../../store/index.ts';
import { memorySecrets } from './auth/index.ts';
import { createAttachedServer, type AttachedServer, type ServerParts } from './attached-server.ts';
import { createBrokenServer } from './broken-server.ts';
import { watchSleep } from './alive/clock-watch.ts';
import { openToolMemory } from './alive/tool-memory.ts';
import { openConfigFile } from './config/config-file.ts';
import { editServers } from './config/edit-servers.ts';
import { followConfig } from './config/follow-config.ts';
import type { ConfigEntry } from './config/parse-config.ts';
import type { Servers } from './contract.ts';
import { examineServer } from './doctor.ts';
import { openEraMemory } from './era-memory.ts';
import { isPackageRunner } from './launch.ts';
import { createInputs } from './launching/inputs.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { nameTools } from './name-tools.ts';
import { createBeside } from './offers/index.ts';
import type { ServerHost } from './requests/index.ts';
import { SERVER_RUN_KIND } from './stdio-transport.ts';
import { createConfinement, type ServerSandbox } from './launching/sandboxed.ts';
import { isStdio } from './target.ts';
import { createTraffic, type Traffic } from './traffic/traffic.ts';
import { createTrust, createTrustDesk, type Admission, type SeenServer, type Trust } from './trust/index.ts';

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
  /** What servers with "sandboxEnabled" run in; without it they do not run. */
  sandbox?: ServerSandbox;
  /** Servers that are there without standing in the config file, which can switch them off or replace them. */
  builtIn?: readonly ConfigEntry[];
  limits?: Partial<Limits>;
  /** Answers what servers ask of the person. */
  host?: ServerHost;
  /** Where sign-ins and what the person gave for inputs are kept; forgotten with the process when there is none. */
  secrets?: SecretStore;
  /** Where our client metadata document is published, for authorization servers that read one. */
  clientMetadataUrl?: string;
  /** What the person decided about servers; without it that is kept until the program ends. */
  trust?: Trust;
}

/** Who waits for servers does not wait longer for one that nobody chose, and that may be fetching its package. In milliseconds. */
const BUILT_IN_PATIENCE_MS = 5_000;

/** A tool with the server it is offered by. */
interface Offer {
  server: AttachedServer;
  tool: Tool;
  refusal: Admission['refusal'];
}

/** The attached servers: reads the config at once, and launches nothing before `start()`. */
export function createServers(options: ServersOptions): Servers {
  const { runDir, clientInfo, env, trust = createTrust() } = options;
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const configFile = openConfigFile(options.configPath);
  const changes = createEmitter<undefined>();
  const offerChanges = createEmitter<undefined>();
  const updates = createEmitter<{ server: string; uri: string }>();
  const packages = createLimiter(limits.packageLaunches);
  const launches = createLimiter(limits.launches);
  const servers = new Map<string, AttachedServer>();
  /** Names of servers that are in no config file. */
  const ephemeral = new Set<string>();
  let offers: { lists: readonly unknown[]; all: Offer[]; tools: readonly Tool[] } | undefined;
  let reaped: Promise<unknown> | undefined;
  let disposed = false;
  /** Starting a program holds everything up for a moment: between two of them the window gets its turn. */
  let turns: Promise<void> = Promise.resolve();
  /** Servers that are to start and have not had their turn. */
  let queued = 0;

  const inputs = createInputs(options.configPath, options.secrets);
  const traffics = new Map<string, Traffic>();

  const shared: Omit<ServerParts, 'limiter' | 'traffic'> = {
    clientInfo,
    env,
    input: inputs.value,
    confine: createConfinement(options.sandbox, options.folder),
    tools: openToolMemory(runDir),
    resolvePath: options.resolvePath ?? (() => Promise.resolve(env['PATH'] ?? '')),
    runDir,
    folder: options.folder,
    eras: openEraMemory(runDir),
    limits,
    host: options.host,
    secrets: options.secrets ?? memorySecrets(),
    clientMetadataUrl: options.clientMetadataUrl,
    onOffers: () => offerChanges.emit(undefined),
    onResourceUpdated: (server, uri) => updates.emit({ server, uri }),
    onChange() {
      // Definitions are pinned when they come, not when somebody first asks for them.
      current();
      changes.emit(undefined);
    },
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
    trust.enter(entry.name, entry.config);
    return createAttachedServer(entry, {
      ...shared,
      limiter: limiterFor(entry.config),
      traffic: trafficOf(entry.name),
    });
  }

  /** One a name: what was said before a restart stays to be seen. */
  function trafficOf(name: string): Traffic {
    const known = traffics.get(name) ?? createTraffic();
    traffics.set(name, known);
    return known;
  }

  function limiterFor(config: ServerConfig): Limiter {
    const fetches = isStdio(config) && isPackageRunner(config.command);
    return async (work) => {
      // Leftovers of a crash hold ports and files that the new processes want: they go first.
      await (reaped ??= reapRunFolders(runDir, SERVER_RUN_KIND).catch(() => undefined));
      await nextTurn();
      return fetches ? packages(() => launches(work)) : launches(work);
    };
  }

  function nextTurn(): Promise<void> {
    return (turns = turns.then(() => setImmediate()));
  }

  async function launch(server: AttachedServer): Promise<void> {
    queued += 1;
    await nextTurn();
    queued -= 1;
    if (!disposed && servers.get(server.name) === server) await server.start();
  }

  function current(): NonNullable<typeof offers> {
    const known = [...servers.values()];
    const lists = [...known.map((server) => server.offered), trust.version];
    if (offers?.lists.length === lists.length && lists.every((list, index) => list === offers?.lists[index]))
      return offers;
    const all = offer(known, { trust, refusalOf });
    // The same array until something changes: others compare by it.
    offers = { lists, all, tools: all.filter(({ refusal }) => !refusal).map(({ tool }) => tool) };
    return offers;
  }

  function view(server: AttachedServer, { all } = current()): ServerView {
    const own = all.filter((item) => item.server === server && !item.refusal);
    const held = trust.held(server.name, server.offered);
    const tools = own.map(({ tool }) => ({
      name: tool.name,
      originalName: tool.origin.kind === 'server' ? tool.origin.originalName : tool.name,
      description: tool.description,
    }));
    const needed = server.config ? inputs.neededBy(server.config) : [];
    return {
      ...server.view(),
      tools,
      ...(needed.length > 0 && { inputs: needed }),
      ...(held > 0 && { heldTools: held }),
      ...(isBuiltIn(server.name) && { builtIn: true }),
    };
  }

  function refusalOf(modelName: string): CausewayError | undefined {
    return current().all.find(({ tool }) => tool.name === modelName)?.refusal;
  }

  function seen(name: string): SeenServer {
    const server = known(name);
    const own = current().all.filter((item) => item.server === server);
    return {
      name,
      tools: server.offered,
      modelNames: own.map(({ tool }) => tool.name),
      instructions: server.instructions(),
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
  const sleep = watchSleep(() => {
    for (const server of servers.values()) void server.verify();
  });

  return {
    start() {
      config.start();
      changes.emit(undefined);
    },
    list() {
      const offered = current();
      return [...servers.values()].map((server) => view(server, offered));
    },
    tools: () => current().tools,
    whyMissing: refusalOf,
    trust: createTrustDesk(trust, { find: seen, onChange: () => changes.emit(undefined) }),
    instructions: () =>
      [...servers.values()].flatMap((server) => {
        const text = trust.instructions(server.name, server.instructions() ?? '');
        return text ? [{ server: server.name, text }] : [];
      }),
    readResource: async (name, uri) => known(name).readResource(uri),
    async add(name, config) {
      const checked = check(name, config);
      configFile.add(name, checked);
      return attachAs(name, checked);
    },
    async attach(name, config) {
      const checked = check(name, config);
      ephemeral.add(name);
      trust.keepForProcess(name);
      return attachAs(name, checked);
    },
    async remove(name) {
      const server = known(name);
      if (!ephemeral.delete(name)) configFile.remove(name);
      servers.delete(name);
      traffics.delete(name);
      trust.forget(name);
      changes.emit(undefined);
      await server.stop();
      await server.forget();
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
      changing: (name, config) => trust.follow(name, config),
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
    async stop(name) {
      const server = known(name);
      if (server.config && !server.config.disabled) {
        await server.stop('It was stopped by hand: until it is started again, or Causeway is.');
      }
      return view(server);
    },
    async doctor(name) {
      return await examineServer(known(name), async () => ({
        ...{ env, input: inputs.value, workspace: options.folder, folder: options.folder },
        searchPath: await shared.resolvePath(),
      }));
    },
    async setInput(id, value) {
      inputs.set(id, value);
      changes.emit(undefined);
      const waiting = [...servers.values()].filter(
        ({ config, state }) => config && state === 'failed' && inputs.neededBy(config).some((input) => input.id === id),
      );
      await Promise.all(waiting.map((server) => launch(server)));
    },
    traffic(name) {
      known(name);
      return trafficOf(name);
    },
    signIn: async (name) => known(name).signIn(),
    cancelSignIn: (name) => known(name).cancelSignIn(),
    signOut: async (name) => known(name).signOut(),
    async settled({ deadlineMs, signal }) {
      const deadline = AbortSignal.timeout(deadlineMs);
      const given = signal ? AbortSignal.any([deadline, signal]) : deadline;
      const waits = (all: boolean): boolean =>
        queued > 0 ||
        [...servers.values()].some((server) => server.state === 'starting' && (all || !isBuiltIn(server.name)));
      const short = AbortSignal.any([given, AbortSignal.timeout(BUILT_IN_PATIENCE_MS)]);
      while (!short.aborted && waits(true)) await nextChange(short);
      while (!given.aborted && waits(false)) await nextChange(given);
    },
    onChange: (listener) => changes.on(() => listener()),
    async relist() {
      await Promise.all([...servers.values()].map((server) => server.relist()));
    },
    beside: createBeside({
      sides: () => [...servers.values()].flatMap(({ offers }) => offers ?? []),
      sideOf: (name) => known(name).offers,
      onChange: (listener) => offerChanges.on(() => listener()),
      onResourceUpdated: (listener) => updates.on(listener),
    }),
    async [Symbol.asyncDispose]() {
      disposed = true;
      sleep[Symbol.dispose]();
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

/** Every tool of every server, in order, under a name of its own, also those that are held back: names do not depend on it. */
function offer(
  servers: readonly AttachedServer[],
  { trust, refusalOf }: { trust: Trust; refusalOf(modelName: string): CausewayError | undefined },
): Offer[] {
  const found = servers.flatMap((server) => {
    const admissions = trust.admit(server.name, server.offered);
    return server.offered.map((tool, index) => ({ server, tool, admission: admissions[index] }));
  });
  const names = nameTools(
    found.map(({ server, tool }) => ({
      server: server.name,
      tool: tool.name,
      plain: server.config?.['toolPrefix'] === false,
    })),
  );
  return found.map(({ server, tool, admission }, index) => {
    const name = names[index] ?? tool.name;
    return {
      server,
      refusal: admission?.refusal,
      tool: {
        ...tool,
        name,
        origin: { kind: 'server', server: server.name, originalName: tool.name },
        ...(admission && { trust: admission.trust }),
        async execute(input, context) {
          // It may have been changed, or switched off, while somebody was asked about this call.
          const refusal = refusalOf(name);
          if (refusal) throw refusal;
          trust.used(server.name);
          return server.call(tool.name, input, context);
        },
      },
    };
  });
}
