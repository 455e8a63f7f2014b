import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isRunning, processIdentity } from '../../platform/index.ts';
import { isOpen } from './index-file.ts';

const LOCK = 'owner';
const DAY_MS = 24 * 60 * 60 * 1000;
/** Copies of a workspace in which nothing ran for so long are removed. */
const KEEP_DAYS = 14;

/** Where the copies of one workspace are: one process at a time has it. */
export interface Place extends Disposable {
  readonly folder: string;
}

/**
 * Takes the lasting place of a workspace below `home`, or, while another process has that, one that goes when it is disposed of.
 */
export function takePlace(home: string, root: string): Place {
  const lasting = path.join(home, createHash('sha256').update(root).digest('hex').slice(0, 16));
  if (tryLock(lasting)) {
    return { folder: lasting, [Symbol.dispose]: () => rmSync(path.join(lasting, LOCK), { force: true }) };
  }
  const own = `${lasting}-${process.pid}`;
  rmSync(own, { recursive: true, force: true });
  tryLock(own);
  return { folder: own, [Symbol.dispose]: () => rmSync(own, { recursive: true, force: true }) };
}

/** Takes the places one after the other whose process was killed, or left something unrecorded; old ones go. */
export function* leftPlaces(home: string): Generator<Place> {
  for (const name of namesIn(home)) {
    const folder = path.join(home, name);
    const owner = ownerOf(folder);
    const isLeft = owner === undefined ? isOpen(folder) : !isRunning(owner);
    if (owner === undefined && isOld(folder) && !isOpen(folder)) rmSync(folder, { recursive: true, force: true });
    else if (isLeft && tryLock(folder)) {
      yield { folder, [Symbol.dispose]: () => rmSync(path.join(folder, LOCK), { force: true }) };
      // A place beside the lasting one is nobody's next time, unless something in it could not be recorded yet.
      if (name.includes('-') && !isOpen(folder)) rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Puts what is in a place aside, for a person to look at; it goes when it is old. Gives where it is. */
export function putAside(place: Place): string {
  place[Symbol.dispose]();
  const aside = `${place.folder}.damaged${Date.now()}`;
  renameSync(place.folder, aside);
  return aside;
}

function tryLock(folder: string): boolean {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = path.join(folder, LOCK);
  const owner = ownerOf(folder);
  if (owner !== undefined && isRunning(owner)) return false;
  rmSync(lock, { force: true });
  try {
    writeFileSync(lock, processIdentity(process.pid) ?? String(process.pid), { flag: 'wx', mode: 0o600 });
  } catch {
    return false;
  }
  utimesSync(folder, new Date(), new Date());
  return true;
}

function ownerOf(folder: string): string | undefined {
  try {
    return readFileSync(path.join(folder, LOCK), 'utf8');
  } catch {
    return undefined;
  }
}

function isOld(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > KEEP_DAYS * DAY_MS;
}

function namesIn(home: string): string[] {
  try {
    return readdirSync(home);
  } catch {
    return [];
  }
}
