import type {
  ApprovalDecision,
  AttachmentRef,
  RewindPoint,
  Caller,
  EditKind,
  EntryType,
  HeldDecision,
  JsonObject,
  KeptView,
  RunOutcome,
  ServerAnswer,
  ServerRequest,
  StoredResult,
  ToolAnnotations,
  ToolOrigin,
} from '../../src-shared/index.ts';

interface ItemBase {
  /** Stable and unique in its timeline. */
  readonly id: string;
  /** The event that made it. */
  readonly seq: number;
  readonly at: number;
}

export interface UserItem extends ItemBase {
  readonly kind: 'user';
  readonly text: string;
  /** Resources of attached servers that went with it. */
  readonly attachments: readonly AttachmentRef[];
}

/** Where a run begins: shown when its model needs a word (a script, or another one than before). */
export interface RunStartItem extends ItemBase {
  readonly kind: 'run-start';
  readonly runId: string;
  readonly model: string;
  readonly scripted: boolean;
  readonly changed: boolean;
}

export interface AssistantItem extends ItemBase {
  readonly kind: 'assistant';
  readonly text: string;
  readonly streaming: boolean;
  /** The stream was cut before its end. */
  readonly partial: boolean;
}

export interface NoteItem extends ItemBase {
  readonly kind: 'note';
  readonly text: string;
  readonly tone: 'plain' | 'bad';
}

/** `waiting` waits for the person. */
export type CallState = 'waiting' | 'running' | 'done' | 'failed' | 'denied' | 'interrupted';

export interface Approval {
  readonly approvalId: string;
  readonly reason: string;
  readonly input: JsonObject;
  /** There is no yes for the session. */
  readonly eachTime?: boolean;
  readonly decision?: ApprovalDecision;
  readonly message?: string;
}

export interface AskedQuestion {
  readonly questionId: string;
  readonly question: string;
  readonly choices: readonly string[];
  readonly answer?: string;
}

/** A result that waits for the person, or did. */
export interface HeldResult {
  readonly heldId: string;
  readonly result: StoredResult;
  readonly decision?: HeldDecision;
}

/** A change to a file, with whether it still stands. */
export interface EditRef {
  readonly editId: number;
  readonly kind: EditKind;
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly at: number;
  readonly undone: boolean;
  /** What it is, where it is no file. */
  readonly entry?: EntryType;
  readonly of?: number;
}

export interface CallItem extends ItemBase {
  readonly kind: 'call';
  readonly callId: string;
  readonly runId?: string;
  readonly caller?: Caller;
  /** Counts the tool calls of a session from 1. */
  readonly step: number;
  readonly name: string;
  readonly title?: string;
  readonly origin?: ToolOrigin;
  readonly annotations?: ToolAnnotations;
  readonly input: JsonObject;
  readonly state: CallState;
  /** Live output so far; the result is what counts in the end. */
  readonly output: string;
  readonly progress?: { readonly done: number; readonly total?: number; readonly message?: string };
  readonly result?: StoredResult;
  readonly durationMs?: number;
  readonly approval?: Approval;
  readonly question?: AskedQuestion;
  readonly held?: HeldResult;
  readonly edits: readonly EditRef[];
  /** What shows the call, where its tool has a view. */
  readonly view?: KeptView;
  /** It was stopped from outside. */
  readonly cancelled?: boolean;
}

/** A change outside any tool call: a person's undo or redo. */
export interface EditItem extends ItemBase {
  readonly kind: 'edit';
  readonly edit: EditRef;
}

export interface RunEndItem extends ItemBase {
  readonly kind: 'run-end';
  readonly runId: string;
  /** What the run changed. */
  readonly edits: readonly EditRef[];
  readonly outcome: RunOutcome;
  readonly message: string;
  /** Tool calls of the run: what the window calls its steps. (The event counts the model's turns.) */
  readonly steps: number;
  readonly durationMs: number;
}

/** The person went back. What was taken back of the conversation stays, to be looked at and to go back to. */
export interface RewoundItem extends ItemBase {
  readonly kind: 'rewound';
  readonly conversation: boolean;
  /** How many files were put back. */
  readonly files: number;
  /** The event that was gone back to, and the last one before that was done: where going forward again leads. */
  readonly to: number;
  readonly from: number;
  /** The timeline as it was, where the conversation went back. */
  readonly before: readonly TimelineItem[];
}

/** An attached server asks something of the person. */
export interface RequestItem extends ItemBase {
  readonly kind: 'request';
  readonly callId?: string;
  readonly server: string;
  readonly request: ServerRequest;
  readonly answer?: ServerAnswer;
  /** Who answered, and why where that was not the person. */
  readonly by?: 'person' | 'rule' | 'end';
  readonly reason?: string;
}

export type TimelineItem =
  UserItem | RunStartItem | AssistantItem | NoteItem | CallItem | RequestItem | EditItem | RunEndItem | RewoundItem;

/** Where a person can go back to from an item, and what that is to the person: a message to be written anew, or a state after it. */
export interface RestorePlace {
  readonly point: RewindPoint;
  /** The message that is taken back with all that followed it. */
  readonly message?: string;
  /** Back to before an earlier going back: to the person that is forward. */
  readonly forward?: boolean;
}
