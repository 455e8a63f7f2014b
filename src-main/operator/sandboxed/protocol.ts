import { isCall, type FileCall } from '../calls/file-call.ts';

/** The descriptor that the worker hears and speaks on. */
export const CONTROL_FD = 3;

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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
