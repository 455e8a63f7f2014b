import { toText, type EventOf, type SessionEvent } from '../../../src-shared/index.ts';
import type { App } from '../../app.ts';
import { askForServer } from './ask-server.ts';
import type { ApprovalAnswer, HeldAnswer } from '../../approvals/index.ts';
import type { CliTerminal } from './terminal.ts';

/**
 * Puts approvals and questions of this process to the person at the terminal, one after the other, until disposed.
 * Does nothing where nobody sits at the terminal: the core then refuses by itself.
 */
export function askPerson(app: App, terminal: CliTerminal): Disposable {
  const controller = new AbortController();
  let queue = Promise.resolve();

  async function put(event: SessionEvent): Promise<void> {
    try {
      if (event.type === 'approval.requested') {
        app.desk.answerApproval(event.approvalId, await askApproval(event, terminal, controller.signal));
      } else if (event.type === 'result.held') {
        app.desk.answerHeld(event.heldId, await askHeld(event, terminal, controller.signal));
      } else if (event.type === 'question.asked') {
        app.desk.answerQuestion(event.questionId, await askQuestion(event, terminal, controller.signal));
      } else if (event.type === 'server.asked') {
        app.desk.answerServer(event.requestId, await askForServer(event, terminal, controller.signal));
      }
    } catch {
      // Withdrawn: the call ended, or was stopped, before the person answered. The log says so.
    }
  }

  const subscription = terminal.interactive
    ? app.store.events.on((event) => {
        queue = queue.then(() => put(event));
      })
    : undefined;
  return {
    [Symbol.dispose]() {
      subscription?.[Symbol.dispose]();
      controller.abort();
    },
  };
}

async function askApproval(
  { name, input, reason, eachTime }: EventOf<'approval.requested'>,
  terminal: CliTerminal,
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  terminal.say(`\n${reason}\n${name} ${JSON.stringify(input, null, 2)}`);
  const always = eachTime ? '' : ' [a]lways in this session,';
  const answer = await terminal.ask(`Allow it? [y]es,${always} or why not: `, signal);
  const word = answer.trim().toLowerCase();
  if (word === 'y' || word === 'yes') return { decision: 'allow_once' };
  if (!eachTime && (word === 'a' || word === 'always')) return { decision: 'allow_session' };
  // Anything else is a no, an empty line too: what was not clearly allowed does not happen.
  return ['', 'n', 'no'].includes(word) ? { decision: 'deny' } : { decision: 'deny', message: answer.trim() };
}

/** Words can be changed in the window; here the person passes a result on, or does not. */
async function askHeld(
  { result }: EventOf<'result.held'>,
  terminal: CliTerminal,
  signal: AbortSignal,
): Promise<HeldAnswer> {
  const structured = result.structuredContent ? `\n${JSON.stringify(result.structuredContent)}` : '';
  terminal.say(`\nThis is the result, before anybody else reads it:\n${toText(result)}${structured}`);
  const answer = (await terminal.ask('Pass it on? [y]es, or no: ', signal)).trim();
  return { decision: /^y(es)?$/i.test(answer) ? 'pass' : 'withhold' };
}

async function askQuestion(
  { question, choices = [] }: EventOf<'question.asked'>,
  terminal: CliTerminal,
  signal: AbortSignal,
): Promise<string> {
  const list = choices.map((choice, index) => `  ${index + 1}. ${choice}\n`).join('');
  const answer = (await terminal.ask(`\n${question}\n${list}> `, signal)).trim();
  return choices[Number(answer) - 1] ?? answer;
}
