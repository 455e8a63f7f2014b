import { caller, editView, type EditKind, type EditState, type EditView } from '../../src-shared/index.ts';
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

/** A whole row. `mode` is that of the file before the edit. */
export interface EditRow extends EditSummary, EditContent {
  mode: number | null;
}

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
  mode: number | null;
}

/** A row for a change to one file. */
export function newEdit(
  { path, actor, mode }: { path: string; actor: Actor; mode: number | null },
  content: EditContent,
  what: { kind: EditKind; owner: string; of?: number | undefined },
): NewEdit {
  return {
    ...content,
    sessionId: actor.sessionId,
    callId: actor.callId ?? null,
    caller: JSON.stringify(actor.caller),
    appId: actor.caller.kind === 'app' ? actor.caller.id : null,
    path,
    kind: what.kind,
    of: what.of ?? null,
    at: Date.now(),
    owner: what.owner,
    mode,
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
    ...(row.callId !== null && { callId: row.callId }),
    ...(row.of !== null && { of: row.of }),
  });
}
