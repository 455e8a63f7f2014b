import type { BlobRef, StoredImagePart, StoredResult } from '../../src-shared/index.ts';
import type { CallItem, EditRef, RequestItem, RestorePlace, RewoundItem, TimelineItem } from './items.ts';

/** A picture that a tool gave back, with the step it belongs to. */
export interface ShownImage {
  readonly key: string;
  readonly step: number;
  readonly callId: string;
  readonly name: string;
  readonly part: StoredImagePart;
}

/** The tool calls of a timeline. */
export function callsOf(items: readonly TimelineItem[]): CallItem[] {
  return items.filter((item) => item.kind === 'call');
}

/** What was taken back of the conversation, to be looked at. */
export function takenBack({ before, to }: RewoundItem): TimelineItem[] {
  return before.filter(({ seq }) => seq > to);
}

/** The tool calls, each once, also those of what was taken back. */
function allCalls(items: readonly TimelineItem[]): CallItem[] {
  const calls = new Map<string, CallItem>();
  for (const item of items) {
    if (item.kind === 'call') calls.set(item.callId, item);
    if (item.kind === 'rewound') for (const call of allCalls(item.before)) calls.set(call.callId, call);
  }
  return [...calls.values()].sort((a, b) => a.seq - b.seq);
}

/** Where a person can go back to from an item; undefined where there is nothing to go back to. */
export function restorePlace(item: TimelineItem): RestorePlace | undefined {
  if (item.kind === 'user') return { point: { seq: item.seq - 1 }, message: item.text };
  if (item.kind === 'call' && item.result) return { point: { callId: item.callId } };
  return undefined;
}

/** What waits for the person, oldest first: calls, and what servers ask. */
export function waitingItems(items: readonly TimelineItem[]): (CallItem | RequestItem)[] {
  return items.filter((item): item is CallItem | RequestItem =>
    item.kind === 'call' ? item.state === 'waiting' : item.kind === 'request' && item.answer === undefined,
  );
}

/** What stands in the flow by itself: calls that a view asked for are in the card of the view. */
export function flowItems(items: readonly TimelineItem[]): readonly TimelineItem[] {
  const own = (item: TimelineItem): boolean => item.kind !== 'call' || item.caller?.kind !== 'view';
  return items.every(own) ? items : items.filter(own);
}

/** The calls that the view of a call asked for, oldest first. */
export function viewCalls(items: readonly TimelineItem[], callId: string): CallItem[] {
  return callsOf(items).filter(({ caller }) => caller?.kind === 'view' && caller.callId === callId);
}

/** The pictures in a call's result. */
export function imagesOf(call: CallItem): ShownImage[] {
  const name = call.origin?.kind === 'server' ? call.origin.originalName : call.name;
  const parts = call.result?.content ?? [];
  return parts.flatMap((part, index) =>
    part.type === 'image' ? [{ key: `${call.callId}-${index}`, step: call.step, callId: call.callId, name, part }] : [],
  );
}

/** A file that is part of a result. */
export interface ResultFile {
  readonly key: string;
  readonly uri: string;
  /** The last part of its address. */
  readonly name: string;
  readonly mimeType: string;
  readonly blob: BlobRef;
}

/** The files in a call's result that are neither pictures nor sounds. */
export function filesOf(call: CallItem): ResultFile[] {
  return (call.result?.content ?? []).flatMap((part, index) => {
    if (part.type !== 'resource' || !part.blob) return [];
    const { uri, mimeType = 'application/octet-stream' } = part.resource;
    return [{ key: `${call.callId}-${index}`, uri, name: nameIn(uri), mimeType, blob: part.blob }];
  });
}

function nameIn(uri: string): string {
  const last =
    uri
      .split(/[?#]/)[0]
      ?.split('/')
      .findLast((piece) => piece !== '') ?? uri;
  try {
    return decodeURIComponent(last);
  } catch {
    // Somebody's own address with a stray percent sign.
    return last;
  }
}

/** All pictures of a timeline, in order. */
export function allImages(items: readonly TimelineItem[]): ShownImage[] {
  return callsOf(items).flatMap(imagesOf);
}

/** The files a session changed, each with its edits in order; undo and redo only flip what they point at. */
export function changedFiles(items: readonly TimelineItem[]): { path: string; edits: EditRef[] }[] {
  const files = new Map<string, EditRef[]>();
  for (const call of allCalls(items)) {
    for (const edit of shownEdits(call.edits)) {
      if (edit.of !== undefined) continue;
      const known = files.get(edit.path);
      if (known) known.push(edit);
      else files.set(edit.path, [edit]);
    }
  }
  return [...files].map(([path, edits]) => ({ path, edits }));
}

/** The text of a result, without its pictures: what a terminal would have shown. */
export function resultText(result: StoredResult): string {
  return result.content
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n');
}

/** The edits of files; where only folders were changed, those. */
export function shownEdits(edits: readonly EditRef[]): readonly EditRef[] {
  const files = edits.filter(({ entry }) => entry !== 'folder');
  return files.length > 0 ? files : edits;
}

/** The edits that can be undone. */
export function standingEdits(edits: readonly EditRef[]): EditRef[] {
  return edits.filter(({ undone, of }) => !undone && of === undefined);
}
