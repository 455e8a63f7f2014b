import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { listProcesses, type ProcessEntry } from './process-table.ts';
import { isRunning, processIdentity } from './processes.ts';

/** In the environment of a child and of all that it starts, so that what it leaves behind can be told from other processes. */
export const FAMILY_VARIABLE = 'CAUSEWAY_FAMILY';

/** How often a family that was asked to end is looked at, in milliseconds. */
const POLL_MS = 10;
/** How long killed processes may take to be gone before they are looked for again, in milliseconds. */
const KILL_WAIT_MS = 1000;
/** Processes that fork while they are being killed are looked for again, this often at most. */
const KILL_ROUNDS = 5;

/** A child that leads its own process group, and all that comes from it. */
export interface ProcessFamily {
  /** Identity of the child; undefined when it is not known, or not started yet. */
  readonly root: string | undefined;
  /** Value of {@link FAMILY_VARIABLE}; never empty. */
  readonly mark: string;
}

/** A mark that no other family has. */
export function createFamilyMark(): string {
  return randomBytes(12).toString('hex');
}

/**
 * What of a family still runs: the root, its group, their descendants, and (Linux) whatever carries the mark, even when it
 * made a session of its own and its parent is gone.
 */
function findFamily({ root, mark }: ProcessFamily, table = listProcesses()): ProcessEntry[] {
  // Without its leader a group may be somebody else's that got the same number: then only the mark counts.
  const group = root !== undefined && isRunning(root) ? pidOf(root) : undefined;
  const members = table.filter(
    (entry) => entry.pid !== process.pid && (entry.group === group || entry.pid === group || carries(entry.pid, mark)),
  );
  return withDescendants(members, table);
}

/** The given processes and all that descends from them. */
export function withDescendants(members: readonly ProcessEntry[], table: readonly ProcessEntry[]): ProcessEntry[] {
  const found = new Map(members.map((entry) => [entry.pid, entry]));
  // A Map is walked in the order things are added, and what is added on the way is walked too.
  for (const parent of found.keys()) {
    for (const entry of table) if (entry.parent === parent && !found.has(entry.pid)) found.set(entry.pid, entry);
  }
  return [...found.values()];
}

/** Signals each process that is still the one that was listed. */
export function signalAll(entries: readonly ProcessEntry[], signal: NodeJS.Signals): void {
  for (const { pid, identity } of entries) {
    if (identity !== undefined && !isRunning(identity)) continue;
    try {
      process.kill(pid, signal);
    } catch {
      // It ended in between, or is not ours to signal.
    }
  }
}

/**
 * Ends a whole family: SIGTERM when there is a grace, then SIGKILL for what is left after `graceMs`. Resolves when nothing
 * of it runs any more.
 */
export async function endFamily(family: ProcessFamily, { graceMs = 0 }: { graceMs?: number } = {}): Promise<void> {
  if (process.platform === 'win32') return endTree(family);
  let members = findFamily(family);
  if (members.length > 0 && graceMs > 0) {
    signalAll(members, 'SIGTERM');
    await allGone(members, graceMs);
    members = stillRunning([...members, ...findFamily(family)]);
  }
  for (let round = 0; members.length > 0 && round < KILL_ROUNDS; round += 1) {
    signalAll(members, 'SIGKILL');
    await allGone(members, KILL_WAIT_MS);
    members = stillRunning([...members, ...findFamily(family)]);
  }
}

async function endTree({ root }: ProcessFamily): Promise<void> {
  if (root === undefined || !isRunning(root)) return;
  await promisify(execFile)('taskkill', ['/pid', String(pidOf(root)), '/T', '/F']).catch(() => undefined);
}

async function allGone(entries: readonly ProcessEntry[], deadlineMs: number): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (stillRunning(entries).length > 0 && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Each once. Where the table names no identity, the number has to do. */
function stillRunning(entries: readonly ProcessEntry[]): ProcessEntry[] {
  const unique = new Map(entries.map((entry) => [entry.pid, entry]));
  return [...unique.values()].filter(({ pid, identity }) =>
    identity === undefined ? processIdentity(pid) !== undefined : isRunning(identity),
  );
}

function carries(pid: number, mark: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${FAMILY_VARIABLE}=${mark}`);
  } catch {
    return false;
  }
}

function pidOf(identity: string): number {
  return Number.parseInt(identity, 10);
}
