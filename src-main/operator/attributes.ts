import { execFileSync } from 'node:child_process';
import { chmodSync, statSync, type BigIntStats } from 'node:fs';
import { SYSTEM_PATH } from '../platform/index.ts';

/** No file system in use has a coarser clock of changes, in milliseconds. */
const COARSEST_CLOCK_MS = 20;
/** Starting a process takes longer. */
const FINE_CLOCK_MS = 1;
/** Files remembered at most. */
const MOST_KNOWN = 10_000;
/** Copying a few attributes takes milliseconds. */
const TIMEOUT_MS = 10_000;
/** The system's `cp`: the person's PATH may begin in a workspace. */
const ENVIRONMENT = { PATH: SYSTEM_PATH };

/**
 * Extended attributes and access control lists of files that are replaced. Node can neither read nor write them, so on Linux GNU
 * `cp` copies them: one small process for the first write of a file, and none for the next ones if it had none and was not
 * touched since. Where there is no GNU `cp`, and on other systems, they are lost when a file is replaced.
 */
export interface AttributeKeeper {
  /** Gives `temporary` what `file` has. False when that is not possible: then only writing in place keeps it. */
  copy(file: string, existing: BigIntStats, temporary: string): 'copied' | 'none' | 'failed';
  /** The file has just been replaced by one without attributes. */
  hasNone(file: string): void;
}

/** Files without attributes, each with the state in which it had none. A new attribute changes the time in it. */
export interface PlainFiles {
  get(file: string): string | undefined;
  set(file: string, state: string): void;
}

export function createPlainFiles(): PlainFiles {
  const known = new Map<string, string>();
  return {
    get: (file) => known.get(file),
    set(file, state) {
      known.delete(file);
      known.set(file, state);
      const [oldest] = known.keys();
      if (oldest !== undefined && known.size > MOST_KNOWN) known.delete(oldest);
    },
  };
}

export function createAttributeKeeper(plain: PlainFiles): AttributeKeeper {
  /** Files whose attributes were copied within a tick of the clock: whether there are any could not be told. */
  const unsure = new Set<string>();
  /** Whether the clock of a device tells two changes apart that follow each other. */
  const fineClocks = new Map<bigint, boolean>();
  let gnu: boolean | undefined;

  /** Waits, for a file that is written again and again, until a change of the temporary file would show. */
  function clockShows(file: string, temporary: string, made: BigIntStats): boolean {
    const isFine = fineClocks.get(made.dev) ?? hasFineClock(temporary, made);
    fineClocks.set(made.dev, isFine);
    if (isFine) return true;
    if (!unsure.delete(file)) {
      unsure.add(file);
      return false;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, COARSEST_CLOCK_MS);
    return true;
  }

  return {
    copy(file, existing, temporary) {
      if (plain.get(file) === stateOf(existing)) return 'none';
      gnu ??= hasGnuCopy();
      if (!gnu) return 'none';
      const shows = clockShows(file, temporary, statSync(temporary, { bigint: true }));
      const before = statSync(temporary, { bigint: true });
      try {
        copyAttributes(file, temporary);
      } catch {
        return 'failed';
      }
      const after = statSync(temporary, { bigint: true });
      // Untouched by the copying, as far as the clock can tell: then there was nothing to copy.
      return shows && before.ctimeNs === after.ctimeNs ? 'none' : 'copied';
    },
    hasNone: (file) => plain.set(file, stateOf(statSync(file, { bigint: true }))),
  };
}

/** True when three changes in a row, within less than a tick of a coarse clock, have three times. */
function hasFineClock(temporary: string, { mode }: BigIntStats): boolean {
  const started = performance.now();
  const times = [1, 2, 3].map(() => {
    chmodSync(temporary, Number(mode) & 0o7777);
    return statSync(temporary, { bigint: true }).ctimeNs;
  });
  return performance.now() - started < FINE_CLOCK_MS && new Set(times).size === times.length;
}

function stateOf({ dev, ino, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${ctimeNs}`;
}

function copyAttributes(file: string, temporary: string): void {
  const argv = ['--attributes-only', '--preserve=mode,xattr', '--', file, temporary];
  execFileSync('cp', argv, { timeout: TIMEOUT_MS, stdio: 'ignore', env: ENVIRONMENT });
}

function hasGnuCopy(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return execFileSync('cp', ['--version'], { timeout: TIMEOUT_MS, stdio: 'pipe', env: ENVIRONMENT }).includes('GNU');
  } catch {
    return false;
  }
}
