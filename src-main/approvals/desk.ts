import { randomUUID } from 'node:crypto';
import { CausewayError, type EventBody, type ServerAnswer } from '../../src-shared/index.ts';
import type { EventLog, SessionStore } from '../store/index.ts';
import { completeAnswer, refuseRequest } from './server-requests.ts';
import type { ApprovalAnswer, Desk, HeldAnswer } from './contract.ts';

interface Waiting<T, C = string> {
  sessionId: string;
  callId: C;
  resolve(value: T): void;
}

type WaitingRequest = Waiting<ServerAnswer, string | undefined> & {
  complete(answer: ServerAnswer): ServerAnswer;
};

/**
 * Where questions wait. Asking is an event in the session's log, so that every host shows it; answering is another. The
 * session is `waiting` for as long as anything of it waits here.
 */
export function createDesk({
  events,
  sessions,
  canAsk,
}: {
  events: EventLog;
  sessions: SessionStore;
  canAsk: () => boolean;
}): Desk {
  const approvals = new Map<string, Waiting<ApprovalAnswer>>();
  const questions = new Map<string, Waiting<string>>();
  const requests = new Map<string, WaitingRequest>();
  const held = new Map<string, Waiting<HeldAnswer>>();

  /** Announces what waits, then waits for an answer under `id`, or until the signal aborts. */
  async function wait<T>(
    pile: Map<string, Waiting<T>>,
    id: string,
    at: { sessionId: string; callId: string; signal: AbortSignal },
    announcement: EventBody,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const onAbort = (): void => reject(at.signal.reason);
    at.signal.addEventListener('abort', onAbort, { once: true });
    pile.set(id, { sessionId: at.sessionId, callId: at.callId, resolve });
    try {
      events.append(at.sessionId, announcement);
      markWaiting(at.sessionId);
      at.signal.throwIfAborted();
      return await promise;
    } finally {
      at.signal.removeEventListener('abort', onAbort);
      pile.delete(id);
      markWaiting(at.sessionId);
    }
  }

  function markWaiting(sessionId: string): void {
    const all = [...approvals.values(), ...questions.values(), ...requests.values(), ...held.values()];
    const waits = all.some((item) => item.sessionId === sessionId);
    const state = sessions.find(sessionId)?.state;
    if (waits && state === 'running') sessions.update(sessionId, { state: 'waiting' });
    if (!waits && state === 'waiting') sessions.update(sessionId, { state: 'running' });
  }

  return {
    async ask(at, { question, choices }) {
      if (!canAsk()) {
        throw new CausewayError('unavailable', 'There is nobody here who could be asked.', {
          hint: 'Decide yourself, or run the task in the Causeway window.',
        });
      }
      const questionId = randomUUID();
      const { callId } = at;
      return wait(questions, questionId, at, {
        type: 'question.asked',
        questionId,
        callId,
        question,
        ...(choices && { choices }),
      });
    },
    async approve(call, reason, eachTime = false) {
      const approvalId = randomUUID();
      const { callId, caller, tool, input } = call;
      return wait(approvals, approvalId, call, {
        type: 'approval.requested',
        approvalId,
        callId,
        caller,
        name: tool.name,
        reason,
        input,
        ...(eachTime && { eachTime }),
      });
    },
    async serverAsks({ server, sessionId, callId, signal }, request) {
      const requestId = randomUUID();
      const about = { requestId, ...(callId !== undefined && { callId }) };
      const asked: EventBody = { type: 'server.asked', ...about, server, request };
      const rule = refuseRequest(request, { server, canAsk: canAsk() });
      if (rule) {
        events.append(sessionId, asked);
        events.append(sessionId, { type: 'server.answered', ...about, by: 'rule', ...rule });
        return rule.answer;
      }
      const { promise, resolve } = Promise.withResolvers<ServerAnswer>();
      requests.set(requestId, { sessionId, callId, resolve, complete: (answer) => completeAnswer(request, answer) });
      const onAbort = (): void => {
        if (!requests.delete(requestId)) return;
        events.append(sessionId, { type: 'server.answered', ...about, by: 'end', answer: { action: 'cancel' } });
        resolve({ action: 'cancel' });
      };
      signal.addEventListener('abort', onAbort, { once: true });
      events.append(sessionId, asked);
      markWaiting(sessionId);
      if (signal.aborted) onAbort();
      return promise.finally(() => {
        signal.removeEventListener('abort', onAbort);
        markWaiting(sessionId);
      });
    },
    answerServer(requestId, given) {
      const waiting = requests.get(requestId);
      const answer = waiting?.complete(given) ?? given;
      const { sessionId, callId, resolve } = take(requests, requestId);
      const about = { requestId, ...(callId !== undefined && { callId }) };
      events.append(sessionId, { type: 'server.answered', ...about, by: 'person', answer });
      resolve(answer);
    },
    async hold(at, result) {
      if (!canAsk()) {
        throw new CausewayError('unavailable', 'The result waits for the person, and nobody can be asked here.', {
          hint: 'The person can switch this off for the tool, or run the task in the Causeway window.',
        });
      }
      const heldId = randomUUID();
      const { callId, caller } = at;
      return wait(held, heldId, at, { type: 'result.held', heldId, callId, caller, result });
    },
    answerApproval(approvalId, answer) {
      const { sessionId, callId, resolve } = take(approvals, approvalId);
      events.append(sessionId, { type: 'approval.answered', approvalId, callId, ...answer });
      resolve(answer);
    },
    answerHeld(heldId, answer) {
      const { sessionId, callId, resolve } = take(held, heldId);
      events.append(sessionId, { type: 'result.answered', heldId, callId, decision: answer.decision });
      resolve(answer);
    },
    answerQuestion(questionId, answer) {
      const { sessionId, callId, resolve } = take(questions, questionId);
      events.append(sessionId, { type: 'question.answered', questionId, callId, answer });
      resolve(answer);
    },
  };
}

function take<W>(pile: Map<string, W>, id: string): W {
  const waiting = pile.get(id);
  if (!waiting) {
    throw new CausewayError('not_found', 'This does not wait for an answer any more.', {
      hint: 'It was answered elsewhere, or the run ended.',
    });
  }
  // Taken at once, so that a second answer (another window) finds nothing.
  pile.delete(id);
  return waiting;
}
