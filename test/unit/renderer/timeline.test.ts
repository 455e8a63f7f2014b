import { describe, expect, it } from 'vitest';
import type { EventBody, SessionEvent } from '../../../src-shared/index.ts';
import type { CallItem } from '../../../src-renderer/timeline/items.ts';
import {
  changedFiles,
  filesOf,
  flowItems,
  shownEdits,
  takenBack,
  viewCalls,
  waitingItems,
} from '../../../src-renderer/timeline/select.ts';
import { applyDeltas, applyEvents, emptyTimeline } from '../../../src-renderer/timeline/timeline.ts';

const agent = { kind: 'agent', runId: 'r' } as const;

function log(...bodies: EventBody[]): SessionEvent[] {
  return bodies.map((body, index) => ({ ...body, seq: index + 1, sessionId: 's', at: 1000 + index }));
}

const runStarted: EventBody = { type: 'run.started', runId: 'r', model: { name: 'm', scripted: false }, tools: 3 };
const runEnded: EventBody = { type: 'run.ended', runId: 'r', outcome: 'stopped', message: '', steps: 1, durationMs: 5 };
const bash: EventBody = {
  type: 'tool.started',
  callId: 'c',
  runId: 'r',
  caller: agent,
  name: 'bash',
  input: { command: 'ls' },
};
const bashEnded: EventBody = {
  type: 'tool.ended',
  callId: 'c',
  durationMs: 12,
  result: { content: [{ type: 'text', text: 'a\n' }], isError: false },
};
const asked: EventBody = {
  type: 'approval.requested',
  approvalId: 'a',
  callId: 'c',
  caller: agent,
  name: 'bash',
  reason: 'It reaches outside.',
  input: { command: 'ls' },
};
const edited: EventBody = {
  type: 'edit.recorded',
  editId: 7,
  callId: 'c',
  kind: 'modify',
  path: '/w/a.ts',
  added: 2,
  removed: 1,
};

function callOf(...bodies: EventBody[]): CallItem {
  const item = applyEvents(emptyTimeline, log(...bodies)).items.find(({ id }) => id === 'c');
  if (item?.kind !== 'call') throw new Error('The timeline has no such call');
  return item;
}

describe('a timeline with views', () => {
  const view = { uri: 'ui://a/b', page: { sha256: 'a'.repeat(64), size: 3 } };
  const byView: EventBody = {
    ...{ type: 'tool.started', callId: 'v', caller: { kind: 'view', server: 'x', callId: 'c' } },
    ...{ name: 'count', input: {} },
  };

  it('has the view at its call, and whether that was stopped', () => {
    expect(callOf(bash, { type: 'tool.view', callId: 'c', view }).view).toEqual(view);
    expect(callOf(bash, { ...bashEnded, cancelled: true }).cancelled).toBe(true);
    expect(callOf(bash, bashEnded)).not.toHaveProperty('cancelled');
  });

  it('has what a view asked for with the call of the view, and not in the flow', () => {
    const { items } = applyEvents(emptyTimeline, log(bash, byView, bashEnded));
    expect(flowItems(items).map(({ id }) => id)).toEqual(['c']);
    expect(viewCalls(items, 'c').map(({ callId }) => callId)).toEqual(['v']);
  });

  it('has the very same items in the flow where no view asked for anything', () => {
    const { items } = applyEvents(emptyTimeline, log(bash, bashEnded));
    expect(flowItems(items)).toBe(items);
  });
});

describe('a timeline', () => {
  it('is the same whether its log comes at once or event by event', () => {
    const events = log(runStarted, bash, { type: 'tool.output', callId: 'c', text: 'a' }, edited, bashEnded, runEnded);
    const oneByOne = events.reduce((timeline, event) => applyEvents(timeline, [event]), emptyTimeline);
    expect(oneByOne).toEqual(applyEvents(emptyTimeline, events));
  });

  it('ignores events that it has seen', () => {
    const events = log(runStarted, bash, bashEnded);
    const timeline = applyEvents(emptyTimeline, events);
    expect(applyEvents(timeline, events)).toBe(timeline);
    expect(applyEvents(emptyTimeline, [...events, ...events])).toEqual(timeline);
  });

  it('never changes an earlier state', () => {
    const before = applyEvents(emptyTimeline, log(runStarted, bash));
    const copy = structuredClone(before);
    applyEvents(before, [{ ...bashEnded, seq: 3, sessionId: 's', at: 1 }]);
    expect(before).toEqual(copy);
  });

  it('keeps the place of what changes and replaces only that', () => {
    const before = applyEvents(emptyTimeline, log({ type: 'note', text: 'one' }, bash, { type: 'note', text: 'two' }));
    const after = applyEvents(before, [{ ...bashEnded, seq: 4, sessionId: 's', at: 1 }]);
    expect(after.items.map(({ id }) => id)).toEqual(before.items.map(({ id }) => id));
    expect(after.items[0]).toBe(before.items[0]);
    expect(after.items[1]).not.toBe(before.items[1]);
    expect(after.items[2]).toBe(before.items[2]);
  });
});

describe('streamed text', () => {
  const delta = { sessionId: 's', runId: 'r', messageId: 'm' };
  const whole: EventBody = {
    type: 'message.assistant',
    runId: 'r',
    messageId: 'm',
    text: 'Hello there.',
    toolCalls: [],
  };

  it('grows in one item and gives way to the whole message', () => {
    const streaming = applyDeltas(
      emptyTimeline,
      [
        { ...delta, text: 'Hel' },
        { ...delta, text: 'lo' },
      ],
      5,
    );
    expect(streaming.items).toMatchObject([{ kind: 'assistant', text: 'Hello', streaming: true }]);
    const done = applyEvents(streaming, log(whole));
    expect(done.items).toMatchObject([{ kind: 'assistant', text: 'Hello there.', streaming: false }]);
  });

  it('that comes late changes nothing', () => {
    const done = applyEvents(emptyTimeline, log(whole));
    expect(applyDeltas(done, [{ ...delta, text: 'late' }], 5).items).toEqual(done.items);
  });

  it('that was cut off by the end of the run is marked as partial', () => {
    const streaming = applyDeltas(emptyTimeline, [{ ...delta, text: 'Hel' }], 5);
    expect(applyEvents(streaming, log(runEnded)).items[0]).toMatchObject({ streaming: false, partial: true });
  });

  it('leaves no item when the message only called tools', () => {
    expect(applyEvents(emptyTimeline, log({ ...whole, text: '' })).items).toEqual([]);
  });
});

describe('a tool call', () => {
  it('runs, then is done with its result and duration', () => {
    expect(callOf(runStarted, bash)).toMatchObject({ state: 'running', step: 1 });
    expect(callOf(runStarted, bash, bashEnded)).toMatchObject({ state: 'done', durationMs: 12 });
  });

  it('collects live output, the newest 200,000 characters', () => {
    const output = (text: string): EventBody => ({ type: 'tool.output', callId: 'c', text });
    expect(callOf(bash, output('a'), output('b')).output).toBe('ab');
    expect(callOf(bash, output('x'.repeat(300_000)), output('end')).output).toHaveLength(200_000);
    expect(callOf(bash, output('x'.repeat(300_000)), output('end')).output.endsWith('end')).toBe(true);
  });

  it('waits while an approval is open, and shows the changed input once it was allowed', () => {
    const answered: EventBody = {
      type: 'approval.answered',
      approvalId: 'a',
      callId: 'c',
      decision: 'allow_once',
      input: { command: 'pwd' },
    };
    expect(callOf(bash, asked).state).toBe('waiting');
    expect(callOf(bash, asked, answered)).toMatchObject({ state: 'running', input: { command: 'pwd' } });
  });

  it('that was denied stays denied, whatever its result says', () => {
    const denied: EventBody = {
      type: 'approval.answered',
      approvalId: 'a',
      callId: 'c',
      decision: 'deny',
      message: 'no',
    };
    const refused: EventBody = { ...bashEnded, result: { content: [], isError: true } };
    expect(callOf(bash, asked, denied, refused)).toMatchObject({ state: 'denied', approval: { message: 'no' } });
  });

  it('waits while a question is open', () => {
    const question: EventBody = {
      type: 'question.asked',
      questionId: 'q',
      callId: 'c',
      question: 'Which?',
      choices: ['a'],
    };
    const answer: EventBody = { type: 'question.answered', questionId: 'q', callId: 'c', answer: 'a' };
    expect(callOf(bash, question)).toMatchObject({ state: 'waiting', question: { choices: ['a'] } });
    expect(callOf(bash, question, answer)).toMatchObject({ state: 'running', question: { answer: 'a' } });
  });

  it('that was under way when its run ended did not finish, and waits for nobody', () => {
    expect(callOf(runStarted, bash, runEnded).state).toBe('interrupted');
    expect(callOf(runStarted, bash, asked, runEnded).state).toBe('interrupted');
    expect(waitingItems(applyEvents(emptyTimeline, log(runStarted, bash, asked, runEnded)).items)).toEqual([]);
  });
});

describe('the end of a run', () => {
  it('counts the tool calls of that run as its steps', () => {
    const other: EventBody = { ...bash, callId: 'd', runId: 'earlier' };
    expect(applyEvents(emptyTimeline, log(other, runStarted, bash, bashEnded, runEnded)).items.at(-1)).toMatchObject({
      steps: 1,
    });
  });
});

describe('an edit', () => {
  const undo: EventBody = {
    type: 'edit.recorded',
    editId: 8,
    kind: 'undo',
    path: '/w/a.ts',
    added: 1,
    removed: 2,
    of: 7,
  };
  const redo: EventBody = { ...undo, editId: 9, kind: 'redo' };

  it('belongs to the call that made it', () => {
    expect(callOf(bash, edited).edits).toMatchObject([{ editId: 7, undone: false }]);
  });

  it('is marked as undone by an undo, and not by the redo after it', () => {
    expect(callOf(bash, edited, undo).edits).toMatchObject([{ undone: true }]);
    expect(callOf(bash, edited, undo, redo).edits).toMatchObject([{ undone: false }]);
  });

  it('by a person stands as a line of its own', () => {
    const { items } = applyEvents(emptyTimeline, log(bash, edited, undo));
    expect(items.at(-1)).toMatchObject({ kind: 'edit', edit: { kind: 'undo', of: 7 } });
  });

  it('is listed under its file, without the undos', () => {
    const { items } = applyEvents(emptyTimeline, log(bash, edited, undo));
    expect(changedFiles(items)).toMatchObject([{ path: '/w/a.ts', edits: [{ editId: 7, undone: true }] }]);
  });
});

describe('folders that were made for a file', () => {
  const folder: EventBody = {
    ...{ type: 'edit.recorded', editId: 6, callId: 'c', kind: 'create', path: '/w/new', entry: 'folder' },
    ...{ added: 0, removed: 0 },
  };
  const file: EventBody = { ...edited, kind: 'create', path: '/w/new/a.ts' };
  const goes = (editId: number, of: number, path: string, entry: { entry?: 'folder' } = {}): EventBody => ({
    ...{ type: 'edit.recorded', editId, kind: 'undo', path, added: 0, removed: 0, of },
    ...entry,
  });

  it('are not shown beside it, nor when they go with it', () => {
    const undone = [goes(8, 7, '/w/new/a.ts'), goes(9, 6, '/w/new', { entry: 'folder' })];
    const { items } = applyEvents(emptyTimeline, log(bash, folder, file, ...undone));
    expect(shownEdits(callOf(bash, folder, file).edits)).toMatchObject([{ editId: 7 }]);
    expect(changedFiles(items).map(({ path }) => path)).toEqual(['/w/new/a.ts']);
    expect(items.map((item) => (item.kind === 'edit' ? item.edit.path : item.kind))).toEqual(['call', '/w/new/a.ts']);
  });

  it('but folders alone are what a step did', () => {
    const { items } = applyEvents(emptyTimeline, log(bash, folder, goes(8, 6, '/w/new', { entry: 'folder' })));
    expect(changedFiles(items)).toMatchObject([{ path: '/w/new', edits: [{ undone: true }] }]);
    expect(items.at(-1)).toMatchObject({ kind: 'edit', edit: { path: '/w/new' } });
  });
});

describe('the start of a run', () => {
  const scripted: EventBody = { ...runStarted, model: { name: 'demo', scripted: true } };

  it('is shown for a script, and when the model is another one than before', () => {
    expect(applyEvents(emptyTimeline, log(runStarted)).items).toEqual([]);
    expect(applyEvents(emptyTimeline, log(scripted)).items).toMatchObject([{ kind: 'run-start', scripted: true }]);
    const changed = log(runStarted, runEnded, {
      ...runStarted,
      runId: 'r2',
      model: { name: 'other', scripted: false },
    });
    expect(applyEvents(emptyTimeline, changed).items.at(-1)).toMatchObject({ kind: 'run-start', model: 'other' });
  });

  it('is the run under way until it ends', () => {
    expect(applyEvents(emptyTimeline, log(runStarted)).runId).toBe('r');
    expect(applyEvents(emptyTimeline, log(runStarted, runEnded)).runId).toBeUndefined();
  });
});

describe('files in a result', () => {
  it('are named by the end of their address; those without stored bytes are none', () => {
    const blob = { sha256: 'a'.repeat(64), size: 22 };
    const resource = (uri: string) => ({
      type: 'resource' as const,
      resource: { uri, mimeType: 'application/pdf' },
      blob,
    });
    const content = [
      resource('file:///w/my%20report.pdf'),
      resource('odd:100%'),
      { type: 'resource' as const, resource: { uri: 'note:1', text: 'hello' } },
    ];
    const ended: EventBody = { type: 'tool.ended', callId: 'c', durationMs: 1, result: { content, isError: false } };
    const [call] = applyEvents(emptyTimeline, log(bash, ended)).items.filter((item) => item.kind === 'call');
    expect(call && filesOf(call).map(({ name, mimeType }) => [name, mimeType])).toEqual([
      ['my report.pdf', 'application/pdf'],
      ['odd:100%', 'application/pdf'],
    ]);
  });
});

describe('a timeline in which the person went back', () => {
  const said = (text: string): EventBody => ({ type: 'message.user', runId: 'r', text });
  const back = (to: number, from: number, conversation = true): EventBody => ({
    type: 'session.rewound',
    ...{ to, from, conversation, files: 1 },
  });
  const undo: EventBody = {
    type: 'edit.recorded',
    ...{ editId: 8, kind: 'undo', path: '/w/a.ts', added: 1, removed: 2, of: 7 },
  };
  const shown = (...bodies: EventBody[]): string[] =>
    applyEvents(emptyTimeline, log(...bodies)).items.map((item) => (item.kind === 'user' ? item.text : item.kind));

  it('shows what was said until there, and one line that holds the rest', () => {
    const bodies = [said('one'), said('two'), said('three'), undo, back(1, 3)];
    expect(shown(...bodies)).toEqual(['one', 'rewound']);
    const line = applyEvents(emptyTimeline, log(...bodies)).items.at(-1);
    expect(line?.kind === 'rewound' && takenBack(line).map(({ kind }) => kind)).toEqual(['user', 'user']);
  });

  it('shows it again after going forward, and what was said in between is held by that line', () => {
    const bodies = [said('one'), said('two'), back(1, 2), said('other'), back(2, 4)];
    expect(shown(...bodies)).toEqual(['one', 'two', 'rewound']);
    expect(shown(...bodies, back(4, 5))).toEqual(['one', 'rewound', 'other', 'rewound']);
  });

  it('keeps the conversation where only files went back, and knows what was undone', () => {
    const bodies = [said('one'), bash, edited, bashEnded, undo, back(1, 4, false)];
    expect(shown(...bodies)).toEqual(['one', 'call', 'rewound']);
    expect(changedFiles(applyEvents(emptyTimeline, log(...bodies)).items)[0]?.edits[0]?.undone).toBe(true);
  });

  it('knows what was undone also of steps that were taken back', () => {
    const { items } = applyEvents(emptyTimeline, log(said('one'), bash, edited, bashEnded, back(1, 4), undo));
    expect(changedFiles(items)[0]?.edits[0]?.undone).toBe(true);
  });
});
