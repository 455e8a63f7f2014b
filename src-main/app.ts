import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApprovalMode, AttachmentRef, EditView, SessionOrigin, SessionSummary } from '../src-shared/index.ts';
import {
  createAgent,
  createRewind,
  findChromium,
  prepareDemo,
  resolveModel,
  settleInterrupted,
  type Agent,
  type Rewind,
  type Run,
} from './agent/index.ts';
import { createApprovals, createDesk, type Desk } from './approvals/index.ts';
import {
  createCommandSnapshots,
  historySchema,
  openHistory,
  trackChanges,
  type CommandSnapshots,
  type History,
  type RecoveryReport,
} from './history/index.ts';
import { createViews, type Views } from './mcp/apps/index.ts';
import {
  builtInBrowser,
  createBundles,
  createImporter,
  createServers,
  createTrust,
  createTrustStore,
  trustSchema,
  type Bundles,
  type Importer,
  type Servers,
} from './mcp/client/index.ts';
import { createEndpoint, type Endpoint } from './mcp/endpoint/index.ts';
import {
  createFileThreads,
  createLocalOperator,
  createSandboxedOperators,
  type FileOperator,
  type Operator,
} from './operator/index.ts';
import { reapRunFolders } from './platform/index.ts';
import { createSandbox } from './sandbox/index.ts';
import { createServerHost, readAttachments } from './server-host/index.ts';
import { openStore, systemKeychain, type Store } from './store/index.ts';
import {
  createBashTool,
  keptFromSandboxes,
  resolveLoginPath,
  shellPolicy,
  withoutSecrets,
  type LiveTerminals,
} from './tools/bash/index.ts';
import { createEditorTool } from './tools/editor/index.ts';
import { createFindToolsTool } from './tools/find-tools/index.ts';
import { createAskHumanTool } from './tools/human/index.ts';
import {
  createCollection,
  createGateway,
  createInputCheck,
  createReadOutputTool,
  forModels,
  type Gateway,
  type ToolCollection,
  type ToolSource,
} from './tools/index.ts';
import { createPythonTool, type PythonDescription } from './tools/python/index.ts';
import { createTerminateTool } from './tools/terminate/index.ts';

/** How long a keychain may hold up the start, in milliseconds. */
const KEYCHAIN_MS = 1000;

/** Where the program's own files are; each host knows. */
export interface ProgramFiles {
  /** The assets folder. */
  assets: string;
  /** The built WebAssembly Python worker. */
  wasmWorker: string;
  /** The built worker that works on files: in threads, and in a sandbox. */
  fileWorker: string;
  /** A Node program that can run plain scripts. */
  node: string;
}

export interface AppOptions {
  version: string;
  /** The data folder. */
  home: string;
  /** The folder that sessions work in unless they say otherwise. */
  workspace: string;
  files: ProgramFiles;
  env: NodeJS.ProcessEnv;
  /** True while somebody is there to answer approvals and questions. */
  canAsk: () => boolean;
  /** Overrides the setting for this process (`--yes`). */
  approvalMode?: ApprovalMode;
}

/** The whole core, ready to be put into a host. */
export interface App extends AsyncDisposable {
  readonly version: string;
  readonly workspace: string;
  readonly store: Store;
  readonly desk: Desk;
  readonly history: History;
  readonly snapshots: CommandSnapshots;
  readonly servers: Servers;
  /** Takes servers over from the settings of other programs. */
  readonly importer: Importer;
  /** Servers that come as a bundle. */
  readonly bundles: Bundles;
  readonly collection: ToolCollection;
  readonly gateway: Gateway;
  /** The views of tool calls. */
  readonly views: Views;
  /** Running commands, for a person to watch and to type into. */
  readonly terminals: LiveTerminals;
  readonly agent: Agent;
  readonly rewind: Rewind;
  /** What other apps see over MCP. */
  readonly endpoint: Endpoint;
  /** What the person should know of the start, a sentence each: a damaged database, an edit that a crash cut off. */
  readonly warnings: readonly string[];
  /** What Python runs on here, and what keeps it in. Never rejects. */
  describePython(): Promise<PythonDescription>;
  /** Forgets the variables that Python keeps for a session. False when it keeps none. */
  restartPython(sessionId: string): Promise<boolean>;
  operatorOf(sessionId: string): Promise<Operator>;
  /** The newest session of this origin and title in the workspace, or a new one: calls by hand and apps share theirs. */
  sessionFor(title: string, origin: SessionOrigin): SessionSummary;
  /** Gives the agent a task, with resources of attached servers, which are read first. @throws CausewayError when no model is set up, or the session already runs. */
  runTask(sessionId: string, text: string, attachments?: readonly AttachmentRef[]): Promise<Run>;
  /** Plays the scripted demo in a session of its own. */
  runDemo(origin: SessionOrigin): Promise<Run>;
}

/**
 * The composition root: builds every capability, hands each what it needs, and ends them in reverse order.
 * Nothing else in the core knows how the parts fit together.
 */
export async function createApp(options: AppOptions): Promise<App> {
  const { version, home, env, files } = options;
  const workspace = realpathSync(path.resolve(options.workspace));
  const runDir = path.join(home, 'run');
  const searchPath = env['PATH'] ?? '';
  await using cleanup = new AsyncDisposableStack();

  const store = cleanup.use(
    openStore({
      home,
      keychain: systemKeychain(env),
      schemas: [
        { name: 'history', steps: historySchema },
        { name: 'trust', steps: trustSchema },
      ],
    }),
  );
  const { events, sessions, outputs, blobs, fileBytes } = store;
  // Whoever starts Causeway may have a keychain to unlock; nothing waits for that but what needs a secret.
  if (store.secretKey.place === 'keychain')
    await Promise.race([store.secretKey.ready, delay(KEYCHAIN_MS, undefined, { ref: false })]);
  const settings = store.settings.get;
  const workspaces = (): string[] => [workspace, ...sessions.list().map((session) => session.workspace)];
  const { files: local } = cleanup.use(createFileThreads({ program: files.fileWorker }));
  const operators = createOperators(local, sessions.get);
  const history: History = cleanup.use(
    openHistory({
      db: store.db,
      blobs: fileBytes,
      files: (await operators.in(workspace)).files,
      keep: () => ({ days: settings().history.keepDays, bytes: settings().history.keepBytes }),
      beforeEdit: (paths) => snapshots.before(paths),
      onEdit(edit) {
        // A database that took the place of a damaged one knows the edits of commands, and not their sessions.
        if (sessions.find(edit.sessionId)) events.append(edit.sessionId, editEvent(edit));
        snapshots.made(edit);
      },
    }),
  );
  const snapshots = cleanup.use(
    createCommandSnapshots({ folder: path.join(home, 'snapshots'), history, limits: () => settings().history }),
  );
  const recovery = await history.recover();
  // Nothing that a killed Causeway started may write any more when what it did is looked at.
  await reapRunFolders(runDir, 'shell');
  const unrecorded = await snapshots.recover();

  const desk = createDesk({ events, sessions, canAsk: options.canAsk });
  const mode = (): ApprovalMode => options.approvalMode ?? settings().approvals.mode;
  const approvals = createApprovals({
    mode,
    yesToAll: options.approvalMode === 'full',
    desk,
    canAsk: options.canAsk,
  });

  const sandbox = cleanup.use(
    createSandbox({
      searchPath,
      workspaces,
      forwarder: { node: files.node, script: path.join(files.assets, 'network', 'forward.mjs') },
    }),
  );
  let loginPath: Promise<string> | undefined;
  const servers = cleanup.use(
    createServers({
      configPath: path.join(home, 'mcp.json'),
      runDir,
      env,
      folder: workspace,
      clientInfo: { name: 'causeway', version },
      host: createServerHost({
        desk,
        workspace,
        sessionFor: (title) => sessionFor(title, 'window'),
        resolveModel: () => resolveModel({ settings: settings(), secrets: store.secrets, env }),
      }),
      resolvePath: () => (loginPath ??= operators.in(workspace).then((operator) => resolveLoginPath(operator, env))),
      secrets: store.secrets,
      sandbox: { sandbox, policy: shellPolicy, withoutSecrets, dataFolder: home },
      trust: createTrust(createTrustStore(store.db)),
      builtIn: builtInBrowser({
        env,
        home: homedir(),
        chromium: findChromium(env),
        nodePath: files.node,
        outputFolder: path.join(home, 'browser'),
      }),
    }),
  );
  const bundles = createBundles({
    servers,
    configPath: path.join(home, 'mcp.json'),
    folder: path.join(home, 'bundles'),
    home: homedir(),
    nodePath: files.node,
    keepSecret: (id, value) => store.secrets.set(`mcp.input.${id}`, value),
  });
  void bundles.sweep();
  const bash = cleanup.use(createBashTool({ outputs, settings, runDir, env, sandbox, home }));
  const python = cleanup.use(
    createPythonTool({
      outputs,
      settings,
      runDir,
      home,
      assetsDir: files.assets,
      wasmWorkerPath: files.wasmWorker,
      nodePath: files.node,
      sandbox,
      searchPath,
      workspaces,
    }),
  );
  const confined = cleanup.use(
    createSandboxedOperators({
      ...{ sandbox, searchPath, workspaces, nodePath: files.node, workerPath: files.fileWorker },
      policy: () => settings().shell.sandbox,
      kept: keptFromSandboxes({ homes: [homedir()], dataFolder: home }),
    }),
  );
  const recorded = { snapshots, enabled: () => settings().history.commands };
  const mayWrite = (): boolean => settings().python.workspace === 'read-write';
  const builtin: ToolSource = staticSource([
    trackChanges(bash, recorded),
    createEditorTool({ history, confine: confined.confine }),
    trackChanges(python, { snapshots, enabled: () => recorded.enabled() && mayWrite(), editsOf: history.list }),
    createReadOutputTool({ outputs }),
    createAskHumanTool(),
    createFindToolsTool({
      tools: () => collection.tools(),
      found: (runId, names) => agent.addTools(runId, names),
    }),
    createTerminateTool({ finish: (runId, end) => agent.finish(runId, end) }),
  ]);
  const collection = createCollection([builtin, servers]);
  const gateway = createGateway({
    collection,
    inputCheck: createInputCheck(),
    approvals,
    desk,
    events,
    blobs,
    outputs,
    capBytes: () => settings().output.capBytes,
    operatorOf: operators.of,
    whyMissing: (name) => servers.whyMissing(name),
  });
  const views = cleanup.use(
    createViews({
      ...{ collection, gateway, events, blobs, outputs },
      readResource: (server, uri) => servers.readResource(server, uri),
    }),
  );
  const offered = forModels(collection);
  const agent = createAgent({
    gateway,
    source: offered,
    events,
    sessions,
    blobs,
    settings,
    instructions: () => servers.instructions(),
    relist: () => servers.relist(),
    recentServers: () => servers.trust.recent(),
  });
  cleanup.defer(() => agent.stopAll());
  settleInterrupted({ events, sessions });

  function sessionFor(title: string, origin: SessionOrigin): SessionSummary {
    const known = sessions
      .list()
      .find((item) => item.title === title && item.origin === origin && item.workspace === workspace);
    return known ?? sessions.create({ title, workspace, origin });
  }

  const endpoint = cleanup.use(
    createEndpoint({
      source: offered,
      gateway,
      whyMissing: (name) => servers.whyMissing(name),
      onToolsChanged: (listener) => servers.onChange(listener),
      serverInfo: { name: 'causeway', title: 'Causeway', version },
      openSession(caller) {
        const { id } = sessionFor(caller.name, 'app');
        return { sessionId: id, close: () => void bash.closeSession(id) };
      },
    }),
  );

  const ends = cleanup.move();
  return {
    version,
    workspace,
    store,
    desk,
    history,
    snapshots,
    servers,
    bundles,
    importer: createImporter(servers, { platform: process.platform, home: homedir(), env, workspace }),
    collection,
    gateway,
    views,
    terminals: bash,
    agent,
    rewind: createRewind({ events, history, isRunning: (sessionId) => agent.running(sessionId) !== undefined }),
    endpoint,
    warnings: [...describeStart(store.loss?.sentence, recovery), ...unrecorded],
    describePython: () => python.describe(),
    restartPython: (sessionId) => python.restart(sessionId),
    operatorOf: operators.of,
    sessionFor,
    async runTask(sessionId, text, refs = []) {
      const model = await resolveModel({ settings: settings(), secrets: store.secrets, env });
      const attachments = await readAttachments(refs, { servers, blobs });
      if (!agent.running(sessionId)) views.passOn(sessionId);
      const run = agent.start({ sessionId, text, model, attachments });
      // The model thinks first: by then Python waits for it.
      void python.warm(sessions.get(sessionId).workspace);
      return run;
    },
    async runDemo(origin) {
      const demo = await prepareDemo({ servers, home, nodePath: files.node, assetsDir: files.assets, env });
      const session = sessions.create({ title: demo.title, workspace: demo.workspace, origin });
      // Whoever starts the demo has said yes to what it does, in its own session and folder.
      for (const tool of demo.tools) approvals.allowForSession(session.id, tool);
      const run = agent.start({ sessionId: session.id, text: demo.task, model: demo.model });
      const closed = run.ended.finally(() => demo[Symbol.asyncDispose]());
      // The program waits for the demo's browser to be gone, also when it ends in the middle.
      ends.defer(async () => {
        run.stop();
        await closed;
      });
      return run;
    },
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

function describeStart(lost: string | undefined, { conflicts }: RecoveryReport): string[] {
  const cut = conflicts.map(
    ({ id, path: file }) =>
      `Edit ${id} was cut off by a crash, and ${file} is neither as before nor as after it. Look at it with "causeway history show ${id}".`,
  );
  return lost ? [lost, ...cut] : cut;
}

/** One operator per workspace, made when first needed. */
function createOperators(
  files: FileOperator,
  sessionById: (id: string) => SessionSummary,
): {
  in(workspace: string): Promise<Operator>;
  of(sessionId: string): Promise<Operator>;
} {
  const byWorkspace = new Map<string, Promise<Operator>>();
  function inWorkspace(workspace: string): Promise<Operator> {
    const known = byWorkspace.get(workspace);
    if (known) return known;
    const made = createLocalOperator({ workspace, files });
    byWorkspace.set(workspace, made);
    // A workspace that is missing now may be there the next time.
    made.catch(() => byWorkspace.delete(workspace));
    return made;
  }
  return { in: inWorkspace, of: (sessionId) => inWorkspace(sessionById(sessionId).workspace) };
}

function staticSource(tools: ReturnType<ToolSource['tools']>): ToolSource {
  return { tools: () => tools };
}

function editEvent(edit: EditView): Parameters<Store['events']['append']>[1] {
  return {
    type: 'edit.recorded',
    editId: edit.id,
    kind: edit.kind,
    path: edit.path,
    added: edit.added,
    removed: edit.removed,
    ...(edit.callId !== undefined && { callId: edit.callId }),
    ...(edit.entry !== 'file' && { entry: edit.entry }),
    ...(edit.of !== undefined && { of: edit.of }),
  };
}
