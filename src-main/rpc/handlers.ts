import {
  CausewayError,
  type EditTarget,
  type Finding,
  type HostInfo,
  type RpcMethod,
  type RpcOutput,
  type RpcParsedInput,
  type ViewDomains,
} from '../../src-shared/index.ts';
import type { App } from '../app.ts';
import { findLocalEndpoints, resolveModel } from '../agent/index.ts';
import { expandTemplate, readServers } from '../mcp/client/index.ts';
import { matchText, readPage, searchOutput } from '../tools/index.ts';
import { serverHelpHandlers } from './server-help.ts';
import { createTrustHandlers } from './trust.ts';
import type { WindowTerminals } from './terminals.ts';

/** What a host says of itself. */
export interface HostFace {
  kind: HostInfo['host'];
  env: NodeJS.ProcessEnv;
  doctor(): Promise<Finding[]>;
  /** The page that frames views, on an origin of its own. */
  viewFrame?: string;
}

/** One function a method, each tied to its input and output in the contract. */
export type Handlers = {
  [M in RpcMethod]: (input: RpcParsedInput<M>) => RpcOutput<M> | Promise<RpcOutput<M>>;
};
/** How long a search for local model servers may take, in milliseconds. */
const FIND_LOCAL_MS = 1500;

/** The contract's methods, each one a line or two onto the core. */
export function createHandlers({
  app,
  host,
  watched,
  terminals,
}: {
  app: App;
  host: HostFace;
  watched: Set<string>;
  terminals: WindowTerminals;
}): Handlers {
  const { store, agent, desk, history, servers, gateway, collection } = app;
  return {
    'host.info': () => hostInfo(app, host),
    'host.doctor': () => host.doctor(),

    'session.list': () => store.sessions.list(),
    'session.create': async ({ workspace, title }) => {
      const session = store.sessions.create({
        title: title ?? '',
        workspace: workspace ?? app.workspace,
        origin: 'window',
      });
      await app.operatorOf(session.id);
      return session;
    },
    'session.rename': ({ sessionId, title }) => store.sessions.update(sessionId, { title }),
    'session.watch': ({ sessionId, afterSeq }) => {
      store.sessions.get(sessionId);
      watched.add(sessionId);
      return store.events.read(sessionId, afterSeq);
    },
    'session.unwatch': ({ sessionId }) => {
      watched.delete(sessionId);
      return {};
    },
    'session.send': async ({ sessionId, text, attachments }) => ({
      runId: (await app.runTask(sessionId, text, attachments)).id,
    }),
    'session.demo': async () => {
      const run = await app.runDemo('window');
      return { sessionId: run.sessionId, runId: run.id };
    },
    'session.previewRewind': ({ sessionId, point }) => app.rewind.preview(sessionId, point),
    'session.rewind': ({ sessionId, point, files, conversation }) =>
      app.rewind.run(sessionId, point, { files, conversation }),
    'session.stop': ({ sessionId }) => {
      agent.running(sessionId)?.stop();
      return {};
    },

    'approval.answer': ({ approvalId, decision, input, message }) => {
      desk.answerApproval(approvalId, {
        decision,
        ...(input !== undefined && { input }),
        ...(message !== undefined && { message }),
      });
      return {};
    },
    'result.answer': ({ heldId, decision, text = '' }) => {
      desk.answerHeld(heldId, decision === 'edit' ? { decision, text } : { decision });
      return {};
    },
    'question.answer': ({ questionId, answer }) => {
      desk.answerQuestion(questionId, answer);
      return {};
    },

    'request.answer': ({ requestId, answer }) => {
      desk.answerServer(requestId, answer);
      return {};
    },

    'tool.list': () => collection.tools().map(({ execute: _execute, ...definition }) => definition),
    'tool.call': async ({ sessionId, name, input }) =>
      store.blobs.storeResult(
        await gateway.call({
          sessionId,
          name,
          input,
          caller: { kind: 'person' },
          signal: new AbortController().signal,
        }),
      ),
    'tool.cancel': ({ callId }) => {
      gateway.cancel(callId);
      return {};
    },
    'python.restart': async ({ sessionId }) => ({ restarted: await app.restartPython(sessionId) }),
    'output.page': (where) => readPage(store.outputs, where),
    'output.search': ({ search, ...where }) =>
      searchOutput(store.outputs, {
        ...where,
        matcher: matchText(search),
        signal: new AbortController().signal,
      }),

    'view.open': (place) => {
      const view = app.views.open(place);
      return { ...view, frame: frameAddress(host, view.look.domains) };
    },
    'view.result': (place) => app.views.result(place),
    'view.call': ({ sessionId, callId, ...request }) => app.views.call({ sessionId, callId }, request),
    'view.read': async ({ uri, ...place }) => ({ contents: await app.views.read(place, uri) }),
    'view.tell': ({ context, ...place }) => {
      app.views.tell(place, context?.text);
      return {};
    },

    'terminal.open': ({ sessionId, job }) => ({ terminal: terminals.open(sessionId, job) }),
    'terminal.read': ({ terminalId }) => terminals.read(terminalId),
    'terminal.write': ({ terminalId, text }) => {
      terminals.write(terminalId, text);
      return {};
    },
    'terminal.resize': ({ terminalId, columns, rows }) => {
      terminals.resize(terminalId, columns, rows);
      return {};
    },
    'terminal.typing': async ({ terminalId }) => ({ typedText: await terminals.typedText(terminalId) }),
    'terminal.stop': async ({ terminalId }) => {
      await terminals.stop(terminalId);
      return {};
    },
    'terminal.close': ({ terminalId }) => {
      terminals.close(terminalId);
      return {};
    },

    'history.list': (query) => history.list(query),
    'history.facets': () => history.facets(),
    'history.show': ({ editId }) => history.show(editId),
    'history.undo': ({ editId }) => history.undo(editId, actorFor(app, editId)),
    'history.redo': ({ editId }) => history.redo(editId, actorFor(app, editId)),

    'history.preview': ({ target, kind }) => history.preview(target, kind),
    'history.revert': ({ target, kind }) => history.revert(target, kind, actorForTarget(app, target)),
    'history.conflict': ({ editId }) => history.conflict(editId),
    'history.settleConflict': ({ editId, choice }) => history.settleConflict(editId, choice, actorFor(app, editId)),
    'history.blame': ({ path }) => history.blame(path),

    'server.list': () => servers.list(),
    'server.add': ({ name, config }) => servers.add(name, config),
    'server.read': ({ text }) => readServers(text, servers.entries()),
    'server.addAll': ({ servers: wanted, inputs }) => servers.addAll(wanted, inputs),
    'server.config': ({ name }) => servers.configOf(name),
    'server.update': ({ name, config }) => servers.update(name, config),
    'server.rename': ({ name, to }) => servers.rename(name, to),
    'server.enable': ({ name, on }) => servers.enable(name, on),
    'server.previewImport': () => app.importer.preview(),
    'server.import': ({ choices }) => app.importer.take(choices),
    'server.uploadBundle': async ({ upload: former, data, last }) => {
      const upload = await app.bundles.receive({ upload: former, data: Buffer.from(data, 'base64') });
      return last ? { upload, bundle: await app.bundles.look(app.bundles.uploaded(upload)) } : { upload };
    },
    'server.addBundle': ({ upload, name, values }) => app.bundles.add(app.bundles.uploaded(upload), name, values),
    'server.remove': async ({ name }) => {
      await servers.remove(name);
      return {};
    },
    'server.stop': ({ name }) => servers.stop(name),
    'server.restart': ({ name }) => servers.restart(name),
    ...serverHelpHandlers(servers),

    'server.offers': () => servers.beside.list(),
    'server.expand': ({ uriTemplate, values }) => ({ uri: expandTemplate(uriTemplate, values) }),
    'server.complete': ({ server, target, argument, others }) =>
      servers.beside.complete(server, target, argument, others),
    'server.prompt': ({ server, name, values }) =>
      servers.beside.prompt(server, name, values, new AbortController().signal),
    'server.signIn': async ({ name }) => ({ url: (await servers.signIn(name)).url }),
    'server.cancelSignIn': ({ name }) => {
      servers.cancelSignIn(name);
      return {};
    },
    'server.signOut': ({ name }) => servers.signOut(name),

    ...createTrustHandlers(servers.trust),

    'settings.get': () => store.settings.get(),
    'settings.set': (wanted) => store.settings.set(wanted),
    'settings.setKey': ({ key }) => {
      store.secrets.set('model.key', key);
      return {};
    },
    'model.findLocal': () => findLocalEndpoints(AbortSignal.timeout(FIND_LOCAL_MS)),
  };
}

/** The frame for a view: its address says which domains its policy is to allow. */
function frameAddress({ viewFrame }: HostFace, domains: ViewDomains): string {
  if (viewFrame === undefined) throw new CausewayError('unavailable', 'Views can not be shown here.');
  return `${viewFrame}?domains=${encodeURIComponent(JSON.stringify(domains))}`;
}

type PersonActor = { sessionId: string; caller: { kind: 'person' } };

/** An undo by a person stands in the session whose edit it takes back. */
function actorFor(app: App, editId: number): PersonActor {
  return { sessionId: app.history.show(editId).sessionId, caller: { kind: 'person' } };
}

/** Of edits of several sessions it stands in that of the newest. */
function actorForTarget(app: App, target: EditTarget): PersonActor {
  if ('sessionId' in target) return { sessionId: target.sessionId, caller: { kind: 'person' } };
  if ('edits' in target) return actorFor(app, Math.max(...target.edits));
  const [newest] = app.history.list({ ...target, limit: 1 });
  if (!newest) throw new CausewayError('not_found', 'There are no such edits in the history.');
  return { sessionId: newest.sessionId, caller: { kind: 'person' } };
}

async function hostInfo(app: App, host: HostFace): Promise<HostInfo> {
  const settings = app.store.settings.get();
  const baseUrl = settings.model.baseUrl ?? host.env['OPENAI_BASE_URL'] ?? null;
  const name = settings.model.name ?? host.env['CAUSEWAY_MODEL'] ?? null;
  const hasKey = app.store.secrets.get('model.key') !== undefined || Boolean(host.env['OPENAI_API_KEY']);
  const problem = await modelProblem(app, host);
  return {
    version: app.version,
    host: host.kind,
    platform: process.platform,
    workspace: app.workspace,
    home: app.store.home,
    warnings: [...app.warnings],
    model: { name, baseUrl, hasKey, ready: problem === undefined, ...(problem !== undefined && { problem }) },
  };
}

async function modelProblem(app: App, host: HostFace): Promise<string | undefined> {
  try {
    await resolveModel({ settings: app.store.settings.get(), secrets: app.store.secrets, env: host.env });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
