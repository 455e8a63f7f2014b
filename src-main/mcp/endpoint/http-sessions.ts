import { randomUUID } from 'node:crypto';
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Endpoint } from './contract.ts';
import { badRequest, sessionNotFound, unavailable } from './refuse.ts';

/** One request of 2025-11-25 or older, with what the HTTP layer knows of it. */
interface SessionRequest {
  request: Request;
  /** The parsed body of a POST. */
  body: unknown;
  /** Whose token it came with. */
  principal: string;
  /** Calls back when the response is out, or its reader gone. */
  whenAnswered: (listener: () => void) => void;
}

export interface HttpSessionsOptions {
  /** Open sessions; the longest unused one goes when another comes. */
  maxSessions: number;
  /** Milliseconds without a request or an open stream after which a session ends. */
  idleMs: number;
}

/** The sessions of clients that open with `initialize` (2025-11-25 and older, "Streamable HTTP", session management). */
export interface HttpSessions extends AsyncDisposable {
  handle(request: SessionRequest): Promise<Response>;
}

interface Session {
  readonly id: string;
  readonly principal: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests and streams that are open. */
  open: number;
  idle: NodeJS.Timeout | undefined;
}

export function createHttpSessions(endpoint: Endpoint, { maxSessions, idleMs }: HttpSessionsOptions): HttpSessions {
  /** Least recently used first. */
  const sessions = new Map<string, Session>();

  function forget(session: Session): void {
    clearTimeout(session.idle);
    sessions.delete(session.id);
  }

  async function end(session: Session): Promise<void> {
    forget(session);
    await session.transport.close();
  }

  function hold(session: Session, whenAnswered: SessionRequest['whenAnswered']): void {
    clearTimeout(session.idle);
    session.open += 1;
    sessions.delete(session.id);
    sessions.set(session.id, session);
    whenAnswered(() => {
      session.open -= 1;
      if (session.open === 0 && sessions.get(session.id) === session) {
        session.idle = setTimeout(() => void end(session), idleMs).unref();
      }
    });
  }

  async function makeRoom(): Promise<boolean> {
    if (sessions.size < maxSessions) return true;
    const unused = [...sessions.values()].find((session) => session.open === 0);
    if (unused) await end(unused);
    return unused !== undefined;
  }

  async function start({ request, body, principal, whenAnswered }: SessionRequest): Promise<Response> {
    if (!(await makeRoom())) return unavailable(`All ${maxSessions} sessions are in use. End one, then try again.`);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized(id) {
        const session: Session = { id, principal, transport, open: 0, idle: undefined };
        hold(session, whenAnswered);
        transport.onclose = chain(transport.onclose, () => forget(session));
      },
    });
    const server = endpoint.open({ via: principal, era: 'legacy', lasts: 'connection' });
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: body });
    // The transport refused to open the session (wrong headers); nobody can reach it any more.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  return {
    async handle(message) {
      const { request, body, principal, whenAnswered } = message;
      const id = request.headers.get('mcp-session-id');
      if (id === null) {
        if (isInitializeRequest(body)) return await start(message);
        return badRequest('The Mcp-Session-Id header is missing. Start a session with an initialize request.');
      }
      const session = sessions.get(id);
      if (session?.principal !== principal) return sessionNotFound();
      hold(session, whenAnswered);
      return await session.transport.handleRequest(request, { parsedBody: body });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions.values()].map(end));
    },
  };
}

function chain(first: (() => void) | undefined, second: () => void): () => void {
  return () => {
    first?.();
    second();
  };
}
