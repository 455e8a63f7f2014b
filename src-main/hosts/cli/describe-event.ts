import { toText, type JsonObject, type SessionEvent } from '../../../src-shared/index.ts';
import { firstLine, formatDuration } from './format.ts';

/** Lines of a tool's output that the terminal shows; the window and `--json` have all of it. */
const SHOWN_LINES = 12;

/** One event as lines for a person; undefined for what only machines need. */
export function describeEvent(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'run.started':
      // A script's name says that it is one.
      return event.model.scripted ? event.model.name : `Model: ${event.model.name}`;
    case 'message.user':
      return `You: ${event.text}`;
    case 'message.assistant':
      return event.text || undefined;
    case 'note':
      return `Note: ${event.text}`;
    case 'tool.started':
      return `> ${event.title ?? event.name}  ${summarise(event.input)}`;
    case 'tool.ended': {
      const state = event.result.isError ? 'failed' : 'done';
      return `${indent(toText(event.result))}  ${state} after ${formatDuration(event.durationMs)}`;
    }
    case 'approval.requested':
      return `Waits for you: ${event.reason}`;
    case 'approval.answered':
      return event.decision === 'deny' ? 'Not allowed.' : 'Allowed.';
    case 'result.held':
      return 'Waits for you: the result, before anybody else reads it.';
    case 'result.answered':
      return event.decision === 'withhold' ? 'Not passed on.' : 'Passed on.';
    case 'question.asked':
      return `Question: ${event.question}`;
    case 'question.answered':
      return `Answer: ${event.answer}`;
    case 'server.asked':
      return `The server "${event.server}" asks: ${event.request.message}`;
    case 'server.answered':
      return (
        event.reason ?? { accept: 'Answered.', decline: 'Declined.', cancel: 'Not answered.' }[event.answer.action]
      );
    case 'edit.recorded':
      return `  edit ${event.editId}: ${event.kind} ${event.path} (+${event.added} -${event.removed})`;
    case 'server.state':
      return `Server "${event.server}": ${event.message ?? event.state}`;
    case 'run.ended':
      return `${event.outcome === 'done' ? 'Done' : `Ended (${event.outcome})`} after ${event.steps} steps, ${formatDuration(event.durationMs)}.`;
    default:
      return undefined;
  }
}

/** The one value of an input that tells most: a command, code, path or query; else the whole as JSON. */
function summarise(input: JsonObject): string {
  for (const key of ['path', 'code', 'url', 'query', 'question']) {
    const value = input[key];
    const command = key === 'path' && typeof input['command'] === 'string' ? `${input['command']} ` : '';
    if (typeof value === 'string') return firstLine(command + value);
  }
  return typeof input['command'] === 'string' ? firstLine(input['command']) : firstLine(JSON.stringify(input));
}

function indent(text: string): string {
  const lines = text.trimEnd() === '' ? [] : text.trimEnd().split('\n');
  const hidden = lines.length - SHOWN_LINES;
  const shown = hidden > 0 ? [...lines.slice(0, SHOWN_LINES), `(${hidden} more lines)`] : lines;
  return shown.map((line) => `  | ${line}\n`).join('');
}
