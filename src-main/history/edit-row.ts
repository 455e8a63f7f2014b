import {
  caller,
  editView,
  type EditKind,
  type EditState,
  type EditView,
  type EntryType,
} from '../../src-shared/index.ts';
import type { TextEncoding } from '../platform/index.ts';
import type { Actor } from './contract.ts';

/** What an edit is, apart from its bytes: everything a list needs. */
export interface EditSummary {
  id: number;
  position: number;
  sessionId: string;
  callId: string | null;
  /** JSON. */
  caller: string;
  path: string;
  kind: EditKind;
  state: EditState;
  of: number | null;
  at: number;
  owner: string;
  added: number;
  removedLines: number;
  beforeHash: string | null;
  afterHash: string | null;
  tool: string | null;
  typeBefore: EntryType;
  typeAfter: EntryType;
  mode: number | null;
  modeAfter: number | null;
}

/** The bytes of an edit as its row holds them; see the schema. */
export interface EditContent {
  beforeHash: string | null;
  afterHash: string | null;
  beforeSize: number | null;
  afterSize: number | null;
  encoding: TextEncoding | 'binary';
  offset: number;
  removed: Uint8Array | null;
  removedBlob: string | null;
  removedSize: number;
  inserted: Uint8Array | null;
  insertedBlob: string | null;
  insertedSize: number;
  lead: Uint8Array;
  trail: Uint8Array;
  line: number;
  added: number;
  removedLines: number;
}

/** A whole row. */
export type EditRow = EditSummary & EditContent;

/** An edit that is about to be made. */
export interface NewEdit extends EditContent {
  sessionId: string;
  callId: string | null;
  caller: string;
  appId: string | null;
  path: string;
  kind: EditKind;
  of: number | null;
  at: number;
  owner: string;
  runId: string | null;
  tool: string | null;
  typeBefore: EntryType;
  typeAfter: EntryType;
  mode: number | null;
  modeAfter: number | null;
}

/** What a change does beside changing bytes. */
export interface EntryChange {
  typeBefore: EntryType;
  typeAfter: EntryType;
  /** Permission bits before, null where there was nothing. */
  mode: number | null;
  /** Permission bits after; null where they are left as they are. */
  modeAfter: number | null;
}

/** What is at a path before and after a change: where nothing is, the other side says what it is about. */
export function entryTypes(
  before: { type: EntryType } | null,
  after: { type: EntryType } | null,
): Pick<EntryChange, 'typeBefore' | 'typeAfter'> {
  return { typeBefore: before?.type ?? after?.type ?? 'file', typeAfter: after?.type ?? before?.type ?? 'file' };
}

/** A row for a change to one file. */
export function newEdit(
  { path, actor, entry }: { path: string; actor: Actor; entry: EntryChange },
  content: EditContent,
  what: { kind: EditKind; owner: string; of?: number | undefined },
): NewEdit {
  return {
    ...content,
    sessionId: actor.sessionId,
    callId: actor.callId ?? null,
    caller: JSON.stringify(actor.caller),
    appId: actor.caller.kind === 'app' ? actor.caller.id : null,
    runId: actor.caller.kind === 'agent' ? actor.caller.runId : null,
    tool: actor.tool ?? null,
    path,
    kind: what.kind,
    of: what.of ?? null,
    at: Date.now(),
    owner: what.owner,
    ...entry,
  };
}

/** The edit as everybody else sees it. */
export function toView(row: EditSummary): EditView {
  return editView.parse({
    id: row.id,
    sessionId: row.sessionId,
    caller: caller.parse(JSON.parse(row.caller)),
    path: row.path,
    kind: row.kind,
    state: row.state,
    at: row.at,
    added: row.added,
    removed: row.removedLines,
    entry: row.afterHash === null ? row.typeBefore : row.typeAfter,
    ...(row.tool !== null && { tool: row.tool }),
    ...(row.callId !== null && { callId: row.callId }),
    ...(row.of !== null && { of: row.of }),
  });
}
