import { isJsonObject, toText, type JsonObject, type JsonValue } from '../../src-shared/index.ts';
import type { CallItem } from './items.ts';

/** What kind of body a call's card has. */
export type CallBody = 'terminal' | 'python' | 'edit' | 'file' | 'human' | 'finish' | 'generic';
/** Names of the pictures in front of a step. */
export type CallIcon =
  | 'terminal'
  | 'python'
  | 'edit'
  | 'create'
  | 'view'
  | 'undo'
  | 'human'
  | 'finish'
  | 'camera'
  | 'globe'
  | 'pointer'
  | 'keyboard'
  | 'clock'
  | 'plug'
  | 'tool';
/** Keys of the verbs, each with a form for "done" and one for "under way". */
export type CallVerb =
  | 'ran'
  | 'ranPython'
  | 'viewed'
  | 'created'
  | 'edited'
  | 'undid'
  | 'asked'
  | 'finished'
  | 'screenshot'
  | 'opened'
  | 'clicked'
  | 'typed'
  | 'waited'
  | 'readPage'
  | 'restarted'
  | 'typedInto'
  | 'called';

/** One step in a line: picture, verb, object. */
export interface CallLook {
  readonly icon: CallIcon;
  readonly verb: CallVerb;
  /** Shown in monospace; may be empty. */
  readonly object: string;
  readonly body: CallBody;
}

/** How a call is told to a person, from its name and input alone, so that it reads the same live and years later. */
export function describeCall(call: Pick<CallItem, 'name' | 'origin' | 'input' | 'result'>): CallLook {
  if (call.origin?.kind === 'server') return describeServerCall(call.origin.originalName, call.input, call.result);
  const { input } = call;
  switch (call.name) {
    case 'bash':
      return describeShell(input);
    case 'python_execute':
      return { icon: 'python', verb: 'ranPython', object: firstLine(input['code']), body: 'python' };
    case 'str_replace_editor':
      return describeEditor(input);
    case 'ask_human':
      return { icon: 'human', verb: 'asked', object: '', body: 'human' };
    case 'terminate':
      return { icon: 'finish', verb: 'finished', object: textOf(input['status']), body: 'finish' };
    default:
      return { icon: 'tool', verb: 'called', object: withArguments(call.name, input), body: 'generic' };
  }
}

function describeShell(input: JsonObject): CallLook {
  const command = textOf(input['command']);
  if (command !== '') return { icon: 'terminal', verb: 'ran', object: firstLine(command), body: 'terminal' };
  if (input['restart'] === true) return { icon: 'terminal', verb: 'restarted', object: 'bash', body: 'terminal' };
  return { icon: 'keyboard', verb: 'typedInto', object: JSON.stringify(input['input'] ?? ''), body: 'terminal' };
}

function describeEditor(input: JsonObject): CallLook {
  const object = textOf(input['path']);
  switch (input['command']) {
    case 'view':
      return { icon: 'view', verb: 'viewed', object, body: 'file' };
    case 'create':
      return { icon: 'create', verb: 'created', object, body: 'edit' };
    case 'undo_edit':
      return { icon: 'undo', verb: 'undid', object, body: 'edit' };
    default:
      return { icon: 'edit', verb: 'edited', object, body: 'edit' };
  }
}

/** The browser tools of Playwright MCP get words of their own; everything else is "called". */
function describeServerCall(tool: string, input: JsonObject, result: CallItem['result']): CallLook {
  const body: CallBody = 'generic';
  const element = textOf(input['element']);
  switch (tool) {
    case 'browser_take_screenshot':
      return { icon: 'camera', verb: 'screenshot', object: pageUrl(result), body };
    case 'browser_navigate':
      return { icon: 'globe', verb: 'opened', object: shortUrl(textOf(input['url'])), body };
    case 'browser_snapshot':
      return { icon: 'globe', verb: 'readPage', object: pageUrl(result), body };
    case 'browser_click':
      return { icon: 'pointer', verb: 'clicked', object: element, body };
    case 'browser_type':
      return { icon: 'keyboard', verb: 'typed', object: JSON.stringify(input['text'] ?? ''), body };
    case 'browser_wait_for':
      return { icon: 'clock', verb: 'waited', object: textOf(input['text'] ?? input['time']), body };
    default:
      return { icon: 'plug', verb: 'called', object: withArguments(tool, input), body };
  }
}

/** Playwright MCP names the page in its answer: "Page URL: ...". */
function pageUrl(result: CallItem['result']): string {
  const found = result ? /Page URL: (\S+)/.exec(toText(result))?.[1] : undefined;
  return found === undefined ? '' : shortUrl(found);
}

function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/** `name(first, second)`, short: the values say more than the braces. */
function withArguments(name: string, input: JsonObject): string {
  const values = Object.values(input).map(shortValue);
  return `${name}(${values.join(', ')})`;
}

function shortValue(value: JsonValue): string {
  if (Array.isArray(value)) return '[…]';
  if (isJsonObject(value)) return '{…}';
  const shown = JSON.stringify(value);
  return shown.length > 60 ? `${shown.slice(0, 57)}…"` : shown;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function firstLine(value: JsonValue | undefined): string {
  const lines = textOf(value)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const first = lines[0]?.trim() ?? '';
  return lines.length > 1 ? `${first} …` : first;
}

/**
 * Whether a step stands open unless the person chose otherwise. It depends on what happened only, never on having been there
 * when it did: an old session looks as it looked live.
 */
export function opensByItself(call: CallItem, look: CallLook): boolean {
  if (call.state === 'failed') return true;
  if (call.state === 'denied') return false;
  if (call.view?.page) return true;
  switch (look.body) {
    case 'terminal':
      return call.output !== '' || (call.result?.content.length ?? 0) > 0;
    case 'python':
    case 'human':
      return true;
    case 'edit':
      return call.edits.length > 0;
    default:
      return false;
  }
}
