import { hash } from 'node:crypto';
import { CausewayError } from '../../../src-shared/index.ts';
import type { ToolContext } from '../contract.ts';
import { describeChanges } from './changes.ts';

/** The longest file whose bytes are kept, and the most kept of all files together, in bytes. */
export const KEPT_BYTES = 1024 * 1024;
const MOST_KEPT_BYTES = 32 * 1024 * 1024;
/** Files remembered at most; without its bytes one costs a few hundred bytes. */
const MOST_FILES = 10_000;

/** A file as it was read. `bytes` is all of it, where it was read whole; `stamp` is that of a look before the reading. */
export interface FileState {
  stamp: string;
  bytes?: Uint8Array | undefined;
}

/** By what it is told whether a file is still the same. */
type Trace =
  { kind: 'bytes'; bytes: Uint8Array } | { kind: 'digest'; digest: string } | { kind: 'stamp'; stamp: string };

/** Whose eyes: in one session the agent of all runs, the person, and each app see for themselves. */
export type Viewer = Pick<ToolContext, 'sessionId' | 'caller'>;

/**
 * What each caller of a session last saw of which file, so that no edit is made on top of a change that its author can not
 * know of. In memory only: after a restart nothing counts as seen.
 */
export interface SeenFiles {
  /** The viewer knows this state: it was shown to them, or they have just made it. */
  note(viewer: Viewer, path: string, state: FileState): void;
  /** The file is gone, and the viewer knows. */
  forget(viewer: Viewer, path: string): void;
  /**
   * Refuses when the viewer knows another state than this one. The refusal tells what changed, so it counts as having seen it.
   * @throws CausewayError `conflict`.
   */
  check(viewer: Viewer, path: string, state: FileState): void;
}

export function createSeenFiles(limits = { bytes: MOST_KEPT_BYTES, files: MOST_FILES }): SeenFiles {
  /** Least recently used first. */
  const traces = new Map<string, Trace>();
  let kept = 0;

  function drop(key: string): void {
    const trace = traces.get(key);
    if (trace?.kind === 'bytes') kept -= trace.bytes.length;
    traces.delete(key);
  }

  function add(key: string, trace: Trace): void {
    drop(key);
    traces.set(key, trace);
    if (trace.kind === 'bytes') kept += trace.bytes.length;
    makeRoom();
  }

  /** Bytes that find no room leave their digest behind: a change is still found then, only not shown. */
  function makeRoom(): void {
    for (const [key, trace] of traces) {
      if (kept <= limits.bytes) break;
      if (trace.kind !== 'bytes') continue;
      kept -= trace.bytes.length;
      traces.set(key, { kind: 'digest', digest: hash('sha256', trace.bytes) });
    }
    const [oldest] = traces.keys();
    if (oldest !== undefined && traces.size > limits.files) drop(oldest);
  }

  function note(viewer: Viewer, path: string, { stamp, bytes }: FileState): void {
    const small = bytes !== undefined && bytes.length <= KEPT_BYTES;
    // A copy, where the bytes are a small part of something large that would be held as a whole.
    const own = small && bytes.buffer.byteLength > 2 * bytes.length ? Uint8Array.from(bytes) : bytes;
    add(keyOf(viewer, path), small && own ? { kind: 'bytes', bytes: own } : { kind: 'stamp', stamp });
  }

  return {
    note,
    forget: (viewer, path) => drop(keyOf(viewer, path)),
    check(viewer, path, state) {
      const trace = traces.get(keyOf(viewer, path));
      if (!trace || isSame(trace, state)) return;
      note(viewer, path, state);
      throw changedSince(path, trace.kind === 'bytes' ? trace.bytes : undefined, state.bytes);
    },
  };
}

/** For a file that changed between the look of its editor and the writing; undefined when it did not. */
export function changedMeanwhile(path: string, before: Uint8Array, now: Uint8Array): CausewayError | undefined {
  return Buffer.compare(before, now) === 0 ? undefined : changedSince(path, before, now);
}

function isSame(trace: Trace, { stamp, bytes }: FileState): boolean {
  // Stamps are too coarse for two writes in one tick of the clock: where there are bytes, these tell.
  if (trace.kind === 'bytes') return bytes !== undefined && Buffer.compare(trace.bytes, bytes) === 0;
  if (trace.kind === 'digest') return bytes !== undefined && trace.digest === hash('sha256', bytes);
  return trace.stamp === stamp;
}

function changedSince(path: string, before: Uint8Array | undefined, now: Uint8Array | undefined): CausewayError {
  const small = before && now && Math.max(before.length, now.length) <= KEPT_BYTES;
  const changes = small
    ? describeChanges(before, now)
    : 'What changed can not be shown: the file is too large, or too many were seen, to keep how it was. View the place again.';
  return new CausewayError('conflict', `${path} was changed since you last saw it, so nothing was written.`, {
    hint: `It was left as it is. Where your edit still fits, send it again as it was. ${changes}`,
  });
}

/** A session's runs share one conversation, so they share what was seen in it. */
function keyOf({ sessionId, caller }: Viewer, path: string): string {
  return JSON.stringify([sessionId, caller.kind === 'app' ? ['app', caller.id] : [caller.kind], path]);
}
