import { ProtocolError, ProtocolErrorCode, type Client } from '@modelcontextprotocol/client';
import { CausewayError, describeError } from '../../../../src-shared/index.ts';
import { answerElicitation, answerRoots, answerSampling, type Answering } from './answer-request.ts';

/** "User rejected sampling request", as MCP's text has it. */
const USER_REJECTED = -1;

/**
 * Answers what a server of the protocol before 2026-07-28 asks by requests of its own.
 * @param work does an answer for the call on whose account it is asked.
 */
export function listenForRequests(
  client: Client,
  answering: Pick<Answering, 'allowed'>,
  work: <T>(signal: AbortSignal, answer: (answering: Answering) => Promise<T>) => Promise<T>,
): void {
  const { allowed } = answering;
  client.setRequestHandler('elicitation/create', (request, { mcpReq }) =>
    told(work(mcpReq.signal, (asked) => answerElicitation(request, asked))),
  );
  if (allowed.has('sampling')) {
    client.setRequestHandler('sampling/createMessage', (request, { mcpReq }) =>
      told(work(mcpReq.signal, (asked) => answerSampling(request, asked))),
    );
  }
  if (allowed.has('roots')) {
    client.setRequestHandler('roots/list', (_request, { mcpReq }) => told(work(mcpReq.signal, answerRoots)));
  }
}

/** What goes wrong is an answer, too. */
async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const refused = error instanceof CausewayError && error.code === 'refused';
    throw new ProtocolError(refused ? USER_REJECTED : ProtocolErrorCode.InternalError, describeError(error));
  }
}
