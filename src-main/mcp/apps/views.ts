import {
  CausewayError,
  describeError,
  isVisibleTo,
  viewUriOf,
  type EventOf,
  type KeptView,
  type ResourceContents,
  type SessionEvent,
} from '../../../src-shared/index.ts';
import type { BlobStore, EventLog, OutputStore } from '../../store/index.ts';
import type { Gateway, Tool, ToolCollection } from '../../tools/index.ts';
import { createCallLimits } from './call-limits.ts';
import type { CallPlace, Views } from './contract.ts';
import { createTellings } from './tellings.ts';
import { MOST_PAGE_BYTES, readPage } from './read-page.ts';
import { wholeResult } from './whole-result.ts';

export interface ViewsParts {
  readResource(server: string, uri: string): Promise<ResourceContents[]>;
  collection: ToolCollection;
  gateway: Gateway;
  events: EventLog;
  blobs: BlobStore;
  outputs: OutputStore;
}

/** A call of a server's tool that has a view. */
interface ShownCall {
  server: string;
  /** Its name there. */
  tool: string;
}

/**
 * The views of tool calls. A view's page is read when the call starts and kept by hash with the session, so that an old session
 * shows what was shown then, also when its server is gone.
 */
export function createViews(parts: ViewsParts): Views {
  const { collection, gateway, events, blobs, outputs } = parts;
  const limits = createCallLimits();
  const tellings = createTellings();
  const known = new Map<string, ShownCall>();

  async function keep({ sessionId, callId }: CallPlace, server: string, uri: string): Promise<void> {
    let view: KeptView;
    try {
      const { html, look } = readPage(uri, await parts.readResource(server, uri));
      view = { uri, look, page: blobs.put(Buffer.from(html)) };
    } catch (error) {
      view = { uri, problem: describeError(error) };
    }
    try {
      events.append(sessionId, { type: 'tool.view', callId, view });
    } catch {
      // The log takes nothing any more: the call itself says so.
    }
  }

  const listening = events.on((event) => {
    if (event.type !== 'tool.started' || event.origin?.kind !== 'server') return;
    // What a view asks for it shows itself; what an app asks for it shows its own way.
    if (event.caller.kind !== 'agent' && event.caller.kind !== 'person') return;
    const tool = collection.find(event.name);
    const uri = tool && viewUriOf(tool);
    if (uri !== undefined) void keep(event, event.origin.server, uri);
  });

  function find(place: CallPlace): ShownCall {
    const key = JSON.stringify([place.sessionId, place.callId]);
    const found = known.get(key) ?? shownCall(eventsOf(place));
    if (!found) throw new CausewayError('not_found', 'This call has no view.');
    known.set(key, found);
    return found;
  }

  function eventsOf({ sessionId, callId }: CallPlace): SessionEvent[] {
    return events.read(sessionId).filter((event) => 'callId' in event && event.callId === callId);
  }

  function toolOf(server: string, originalName: string): Tool | undefined {
    return collection
      .tools()
      .find(
        ({ origin }) => origin.kind === 'server' && origin.server === server && origin.originalName === originalName,
      );
  }

  return {
    open(place) {
      const log = eventsOf(place);
      const call = shownCall(log);
      const { view } = log.findLast((event) => event.type === 'tool.view') ?? {};
      if (!call || !view?.page || !view.look)
        throw new CausewayError('not_found', view?.problem ?? 'This call has no view.');
      const tool = toolOf(call.server, call.tool);
      return {
        html: Buffer.from(blobs.read(view.page.sha256)).toString('utf8'),
        look: view.look,
        ...(tool && { tool: definitionOf(tool) }),
      };
    },
    result(place) {
      const ended = eventsOf(place).findLast((event) => event.type === 'tool.ended');
      if (!ended) throw new CausewayError('not_found', 'The call has not ended yet.');
      return wholeResult(ended.result, { blobs, outputs });
    },
    call(place, { id, tool: wanted, input }) {
      const { server } = find(place);
      const tool = toolOf(server, wanted);
      if (!tool || !isVisibleTo(tool, 'app')) {
        throw new CausewayError('refused', `The view may not call "${wanted}".`, {
          hint: `It may call tools of its own server "${server}" that are meant for views.`,
        });
      }
      return limits.within(keyOf(place), () =>
        gateway.call({
          callId: id,
          sessionId: place.sessionId,
          caller: { kind: 'view', server, callId: place.callId },
          name: tool.name,
          input,
          signal: new AbortController().signal,
        }),
      );
    },
    async read(place, uri) {
      const { server } = find(place);
      const contents = await limits.within(keyOf(place), () => parts.readResource(server, uri));
      const size = contents.reduce((sum, { text = '', blob = '' }) => sum + text.length + blob.length, 0);
      if (size > MOST_PAGE_BYTES) throw new CausewayError('refused', `${uri} is too large for a view.`);
      return contents;
    },
    tell(place, text) {
      const { server, tool } = find(place);
      tellings.set(place, text === undefined ? undefined : { server, tool, text });
    },
    passOn(sessionId) {
      for (const text of tellings.take(sessionId)) events.append(sessionId, { type: 'note', text });
    },
    [Symbol.dispose]: () => listening[Symbol.dispose](),
  };
}

function shownCall(log: readonly SessionEvent[]): ShownCall | undefined {
  const started = log.find((event): event is SessionEvent & EventOf<'tool.started'> => event.type === 'tool.started');
  if (started?.origin?.kind !== 'server' || !log.some((event) => event.type === 'tool.view')) return undefined;
  return { server: started.origin.server, tool: started.origin.originalName };
}

function definitionOf({
  execute: _execute,
  reasonToAsk: _reason,
  ...definition
}: Tool): Omit<Tool, 'execute' | 'reasonToAsk'> {
  return definition;
}

function keyOf({ sessionId, callId }: CallPlace): string {
  return JSON.stringify([sessionId, callId]);
}
