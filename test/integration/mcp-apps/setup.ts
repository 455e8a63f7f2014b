import { onTestFinished } from 'vitest';
import { createApprovals, createDesk } from '../../../src-main/approvals/index.ts';
import { createViews, type Views } from '../../../src-main/mcp/apps/index.ts';
import type { Servers } from '../../../src-main/mcp/client/index.ts';
import { createLocalOperator } from '../../../src-main/operator/index.ts';
import { openStore, type Store } from '../../../src-main/store/index.ts';
import { createCollection, createGateway, createInputCheck, type Gateway } from '../../../src-main/tools/index.ts';
import type { Caller, EventOf, EventType, JsonObject, SessionEvent, ToolResult } from '../../../src-shared/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { openServers, scripted } from '../mcp-client/setup.ts';

export const PERSON: Caller = { kind: 'person' };

interface Bench {
  store: Store;
  servers: Servers;
  gateway: Gateway;
  views: Views;
  sessionId: string;
  events<T extends EventType>(type: T): (SessionEvent & EventOf<T>)[];
  call(name: string, options?: { callId?: string; caller?: Caller; input?: JsonObject }): Promise<ToolResult>;
  /** Calls the tool and waits for its view. */
  show(name: string): Promise<{ sessionId: string; callId: string }>;
}

/** The views of a real store, with the server `views` of the fixtures attached; nobody is there to be asked. */
export async function openViews(env: Record<string, string> = {}): Promise<Bench> {
  const store = openStore({ home: temporaryFolder() });
  onTestFinished(() => store[Symbol.dispose]());
  const workspace = temporaryFolder();
  const { id: sessionId } = store.sessions.create({ title: '', workspace, origin: 'window' });
  const { servers } = openServers();
  await servers.attach('views', scripted('views', env));
  const { events, blobs, outputs, sessions } = store;
  const collection = createCollection([servers]);
  const desk = createDesk({ events, sessions, canAsk: () => false });
  const gateway = createGateway({
    ...{ collection, desk, events, blobs, outputs },
    inputCheck: createInputCheck(),
    approvals: createApprovals({ mode: () => 'workspace', desk, canAsk: () => false }),
    capBytes: () => 2000,
    operatorOf: () => createLocalOperator({ workspace }),
  });
  const views = createViews({
    ...{ collection, gateway, events, blobs, outputs },
    readResource: (server, uri) => servers.readResource(server, uri),
  });
  onTestFinished(() => views[Symbol.dispose]());

  function eventsOf<T extends EventType>(type: T): (SessionEvent & EventOf<T>)[] {
    return events.read(sessionId).filter((event): event is SessionEvent & EventOf<T> => event.type === type);
  }

  const call: Bench['call'] = (name, { callId, caller = PERSON, input = {} } = {}) =>
    gateway.call({
      sessionId,
      caller,
      name,
      input,
      signal: new AbortController().signal,
      ...(callId !== undefined && { callId }),
    });

  return {
    ...{ store, servers, gateway, views, sessionId, call },
    events: eventsOf,
    async show(name) {
      await call(name, { callId: name });
      await waitFor(() => eventsOf('tool.view').some(({ callId }) => callId === name));
      return { sessionId, callId: name };
    },
  };
}
