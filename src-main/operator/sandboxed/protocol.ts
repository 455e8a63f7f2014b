/** The descriptor that the worker hears and speaks on. */
export const CONTROL_FD = 3;

/** What the worker can be asked for: the methods of a `FileOperator`. Bytes travel beside it. */
export type FileCall =
  | { readonly method: 'stat'; readonly path: string; readonly follow: boolean }
  | { readonly method: 'read'; readonly path: string; readonly range?: { offset: number; length: number } }
  /** For `holds`: the hash of a file of this size, so that what is expected need not travel. */
  | { readonly method: 'digest'; readonly path: string; readonly size: number }
  | { readonly method: 'write'; readonly path: string; readonly mode?: number; readonly follow: boolean }
  | { readonly method: 'setMode'; readonly path: string; readonly mode: number }
  | { readonly method: 'makeFolder'; readonly path: string; readonly mode?: number }
  | { readonly method: PlainMethod; readonly path: string };

const PLAIN_METHODS = ['remove', 'syncFolder', 'readLink', 'makeLink', 'removeFolder', 'list', 'settle'] as const;
type PlainMethod = (typeof PLAIN_METHODS)[number];
const METHODS: readonly string[] = [...PLAIN_METHODS, ...['stat', 'read', 'digest', 'write', 'setMode', 'makeFolder']];

/** A call, with the number that its answer carries. */
export interface FileRequest {
  readonly id: number;
  readonly call: FileCall;
}

/** What the worker is started with, as JSON in its only argument. */
export interface WorkerOptions {
  readonly workspace: string;
  /** Entries of the workspace that stay as they are. */
  readonly protectedEntries: readonly string[];
}

/*
 * The worker hears one voice only: that of the program which started it and brought its text along. So it looks at the form of what
 * it is told, no further, and starts twice as fast as with a library for that. What it answers is checked fully (replies.ts).
 */

export function isRequest(value: unknown): value is FileRequest {
  return isRecord(value) && typeof value['id'] === 'number' && isCall(value['call']);
}

export function isWorkerOptions(value: unknown): value is WorkerOptions {
  return isRecord(value) && typeof value['workspace'] === 'string' && Array.isArray(value['protectedEntries']);
}

function isCall(value: unknown): boolean {
  return isRecord(value) && METHODS.includes(String(value['method'])) && typeof value['path'] === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
