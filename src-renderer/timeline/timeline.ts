import type { EventOf, MessageDelta, SessionEvent } from '../../src-shared/index.ts';
import type { CallItem, EditRef, TimelineItem } from './items.ts';
import { shownEdits } from './select.ts';

/** What a session's log looks like to a person. Values are never changed, only replaced. */
export interface Timeline {
  readonly items: readonly TimelineItem[];
  readonly lastSeq: number;
  readonly steps: number;
  /** The run that is under way. */
  readonly runId: string | undefined;
  /** The model of the last run. */
  readonly model: string | undefined;
}

export const emptyTimeline: Timeline = { items: [], lastSeq: 0, steps: 0, runId: undefined, model: undefined };

/** Live output kept for one call, in characters: the newest. */
const OUTPUT_KEPT = 200_000;

type Draft = { -readonly [K in keyof Timeline]: Timeline[K] } & { items: TimelineItem[] };
type Entry<T extends SessionEvent['type']> = SessionEvent & EventOf<T>;

/** The timeline after more events. Events that were applied before (by `seq`) are ignored. */
export function applyEvents(timeline: Timeline, events: readonly SessionEvent[]): Timeline {
  const fresh = events.filter((event) => event.seq > timeline.lastSeq);
  if (fresh.length === 0) return timeline;
  const draft: Draft = { ...timeline, items: [...timeline.items] };
  for (const event of fresh) {
    if (event.seq <= draft.lastSeq) continue;
    draft.lastSeq = event.seq;
    applyEvent(draft, event);
  }
  return draft;
}

/** The timeline after more model text. Pieces of a message that is already whole are ignored. */
export function applyDeltas(timeline: Timeline, deltas: readonly MessageDelta[], now: number): Timeline {
  if (deltas.length === 0) return timeline;
  const items = [...timeline.items];
  for (const { messageId, text } of deltas) {
    const index = findIndex(items, messageId);
    const item = items[index];
    if (item === undefined) {
      const { lastSeq: seq } = timeline;
      items.push({ kind: 'assistant', id: messageId, seq, at: now, text, streaming: true, partial: false });
    } else if (item.kind === 'assistant' && item.streaming) {
      items[index] = { ...item, text: item.text + text };
    }
  }
  return { ...timeline, items };
}

function applyEvent(draft: Draft, event: SessionEvent): void {
  const { seq, at } = event;
  switch (event.type) {
    case 'session.created':
    case 'session.renamed':
      return;
    case 'session.rewound':
      return rewind(draft, event);
    case 'run.started':
      return startRun(draft, event);
    case 'run.ended':
      return endRun(draft, event);
    case 'message.user':
      draft.items.push(userItem(event));
      return;
    case 'message.assistant':
      return completeMessage(draft, event);
    case 'note':
      draft.items.push({ kind: 'note', id: `event-${seq}`, seq, at, text: event.text, tone: 'plain' });
      return;
    case 'server.state':
      return noteServer(draft, event);
    case 'tool.started':
      return startCall(draft, event);
    case 'tool.output':
      return changeCall(draft, event.callId, (call) => ({
        ...call,
        output: (call.output + event.text).slice(-OUTPUT_KEPT),
      }));
    case 'tool.progress':
      return changeCall(draft, event.callId, (call) => ({
        ...call,
        progress: {
          done: event.progress,
          ...(event.total !== undefined && { total: event.total }),
          ...(event.message !== undefined && { message: event.message }),
        },
      }));
    case 'tool.ended':
      return changeCall(draft, event.callId, (call) => ({
        ...call,
        result: event.result,
        durationMs: event.durationMs,
        ...(event.cancelled === true && { cancelled: true }),
        state: call.state === 'denied' ? 'denied' : event.result.isError ? 'failed' : 'done',
      }));
    case 'tool.view':
      return changeCall(draft, event.callId, (call) => ({ ...call, view: event.view }));
    case 'approval.requested':
      return requestApproval(draft, event);
    case 'approval.answered':
      return changeCall(draft, event.callId, (call) => ({
        ...call,
        state: event.decision === 'deny' ? 'denied' : 'running',
        ...(event.input && { input: event.input }),
        ...(call.approval && {
          approval: {
            ...call.approval,
            decision: event.decision,
            ...(event.input && { input: event.input }),
            ...(event.message !== undefined && { message: event.message }),
          },
        }),
      }));
    case 'question.asked':
      return changeCall(draft, event.callId, (call) => ({
        ...call,
        state: 'waiting',
        question: { questionId: event.questionId, question: event.question, choices: event.choices ?? [] },
      }));
    case 'question.answered':
      return changeCall(draft, event.callId, (call) => ({
        ...call,
        state: 'running',
        ...(call.question && { question: { ...call.question, answer: event.answer } }),
      }));
    case 'server.asked':
      return addRequest(draft, event);
    case 'server.answered':
      return answerRequest(draft, event);
    case 'result.held':
      return changeCall(draft, event.callId, (call) => ({
        ...call,
        state: 'waiting',
        held: { heldId: event.heldId, result: event.result },
      }));
    case 'result.answered':
      return changeCall(draft, event.callId, (call) => ({
        ...call,
        state: 'running',
        ...(call.held && { held: { ...call.held, decision: event.decision } }),
      }));
    case 'edit.recorded':
      return recordEdit(draft, event);
  }
}

function rewind(draft: Draft, event: Entry<'session.rewound'>): void {
  const { seq, at, to, from, conversation, files } = event;
  // The single edits by which files were put back are what this line tells.
  const before = draft.items.filter((item) => item.kind !== 'edit' || item.seq <= from);
  draft.items = [
    ...(conversation ? visibleAt(before, to) : before),
    {
      ...{ kind: 'rewound', id: `event-${seq}`, seq, at, to, from, conversation, files },
      before: conversation ? before : [],
    },
  ];
}

/** What was to be seen right after an event: if the person went back since then, it is in what was there before that. */
function visibleAt(items: readonly TimelineItem[], to: number): TimelineItem[] {
  const later = items.find((item) => item.kind === 'rewound' && item.conversation && item.seq > to);
  return later?.kind === 'rewound' ? visibleAt(later.before, to) : items.filter(({ seq }) => seq <= to);
}

function startRun(draft: Draft, event: Entry<'run.started'>): void {
  const { name, scripted } = event.model;
  const changed = draft.model !== undefined && draft.model !== name;
  draft.runId = event.runId;
  draft.model = name;
  if (!scripted && !changed) return;
  const { seq, at, runId } = event;
  draft.items.push({ kind: 'run-start', id: `start-${runId}`, seq, at, runId, model: name, scripted, changed });
}

/** Whatever of the run still looked alive is not: say so instead of letting it spin for ever. */
function endRun(draft: Draft, event: Entry<'run.ended'>): void {
  const { seq, at, outcome, message, durationMs } = event;
  let steps = 0;
  const edits: EditRef[] = [];
  const calls = new Set(
    draft.items.flatMap((item) => (item.kind === 'call' && item.runId === event.runId ? [item.id] : [])),
  );
  draft.items.forEach((item, index) => {
    if (item.kind === 'assistant' && item.streaming) draft.items[index] = { ...item, streaming: false, partial: true };
    if (item.kind === 'request' && !item.answer && item.callId !== undefined && calls.has(item.callId)) {
      draft.items[index] = { ...item, answer: { action: 'cancel' }, by: 'end' };
    }
    if (item.kind !== 'call' || item.runId !== event.runId) return;
    steps += 1;
    edits.push(...item.edits);
    if (item.state === 'running' || item.state === 'waiting') draft.items[index] = { ...item, state: 'interrupted' };
  });
  if (draft.runId === event.runId) draft.runId = undefined;
  const { runId } = event;
  draft.items.push({ kind: 'run-end', id: `end-${runId}`, seq, at, runId, edits, outcome, message, steps, durationMs });
}

function completeMessage(draft: Draft, event: Entry<'message.assistant'>): void {
  const { seq, at, messageId, text } = event;
  const index = findIndex(draft.items, messageId);
  const whole: TimelineItem = {
    kind: 'assistant',
    id: messageId,
    seq,
    at,
    text,
    streaming: false,
    partial: event.partial === true,
  };
  if (index >= 0) draft.items[index] = whole;
  else if (text.trim() !== '') draft.items.push(whole);
}

function noteServer(draft: Draft, event: Entry<'server.state'>): void {
  const { seq, at, server, state, message } = event;
  const text = `${server}: ${message ?? state}`;
  draft.items.push({ kind: 'note', id: `event-${seq}`, seq, at, text, tone: state === 'failed' ? 'bad' : 'plain' });
}

function startCall(draft: Draft, event: Entry<'tool.started'>): void {
  const { seq, at, callId, runId, caller, name, title, origin, annotations, input } = event;
  draft.steps += 1;
  draft.items.push({
    kind: 'call',
    id: callId,
    seq,
    at,
    callId,
    caller,
    step: draft.steps,
    name,
    input,
    state: 'running',
    output: '',
    edits: [],
    ...(runId !== undefined && { runId }),
    ...(title !== undefined && { title }),
    ...(origin && { origin }),
    ...(annotations && { annotations }),
  });
}

function requestApproval(draft: Draft, event: Entry<'approval.requested'>): void {
  const { approvalId, reason, input, eachTime } = event;
  const approval = { approvalId, reason, input, ...(eachTime && { eachTime }) };
  changeCall(draft, event.callId, (call) => ({ ...call, state: 'waiting', approval }));
}

function userItem({ seq, at, text, attachments = [] }: Entry<'message.user'>): TimelineItem {
  const refs = attachments.map(({ server, uri, name }) => ({ server, uri, name }));
  return { kind: 'user', id: `event-${seq}`, seq, at, text, attachments: refs };
}

function addRequest(draft: Draft, event: Entry<'server.asked'>): void {
  const { seq, at, requestId: id, callId, server, request } = event;
  draft.items.push({ kind: 'request', id, seq, at, server, request, ...(callId !== undefined && { callId }) });
}

function answerRequest(draft: Draft, event: Entry<'server.answered'>): void {
  const { requestId, answer, by, reason } = event;
  const index = findIndex(draft.items, requestId);
  const item = draft.items[index];
  if (item?.kind !== 'request') return;
  draft.items[index] = { ...item, answer, by, ...(reason !== undefined && { reason }) };
}

function recordEdit(draft: Draft, event: Entry<'edit.recorded'>): void {
  const { seq, at, editId, kind, path, added, removed, entry, of, callId } = event;
  const edit: EditRef = {
    ...{ editId, kind, path, added, removed, at, undone: false },
    ...(entry && { entry }),
    ...(of !== undefined && { of }),
  };
  if (of !== undefined) markUndone(draft, of, kind === 'undo');
  if (callId !== undefined && findIndex(draft.items, callId) >= 0) {
    changeCall(draft, callId, (call) => ({ ...call, edits: [...call.edits, edit] }));
  } else if (entry !== 'folder' || isShown(draft.items, of)) {
    draft.items.push({ kind: 'edit', id: `edit-${editId}`, seq, at, edit });
  }
}

/** Whether a step shows this edit: folders that come and go with files are not spoken of. */
function isShown(items: readonly TimelineItem[], editId: number | undefined): boolean {
  return items.some((item) => item.kind === 'call' && shownEdits(item.edits).some((edit) => edit.editId === editId));
}

function markUndone(draft: Draft, editId: number, undone: boolean): void {
  draft.items = draft.items.map((item) => withMark(item, editId, undone));
}

/** The same item, unless it has this edit. */
function withMark(item: TimelineItem, editId: number, undone: boolean): TimelineItem {
  if (item.kind === 'rewound') {
    const before = item.before.map((one) => withMark(one, editId, undone));
    return before.some((one, index) => one !== item.before[index]) ? { ...item, before } : item;
  }
  if (item.kind !== 'call' && item.kind !== 'run-end') return item;
  if (!item.edits.some((edit) => edit.editId === editId)) return item;
  return { ...item, edits: item.edits.map((edit) => (edit.editId === editId ? { ...edit, undone } : edit)) };
}

function changeCall(draft: Draft, callId: string, change: (call: CallItem) => CallItem): void {
  const index = findIndex(draft.items, callId);
  const item = draft.items[index];
  if (item?.kind === 'call') draft.items[index] = change(item);
}

/** Looks from the end: what changes is nearly always among the last items. */
function findIndex(items: readonly TimelineItem[], id: string): number {
  return items.findLastIndex((item) => item.id === id);
}
