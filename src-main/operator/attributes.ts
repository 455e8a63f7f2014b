import { execFile } from 'node:child_process';
import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** No file system in use has a coarser clock of changes, in nanoseconds. */
const COARSEST_CLOCK_NS = 20_000_000n;
/** Files remembered at most. */
const MOST_KNOWN = 10_000;
/** Copying a few attributes takes milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * Extended attributes and access control lists of files that are replaced. Node can neither read nor write them, so on Linux GNU
 * `cp` copies them: one small process for the first write of a file, and none for the next ones if it had none and was not
 * touched since. Where there is no GNU `cp`, and on other systems, they are lost when a file is replaced.
 */
export interface AttributeKeeper {
  /** Gives `temporary` what `file` has. False when that is not possible: then only writing in place keeps it. */
  copy(file: string, existing: BigIntStats, temporary: string): Promise<'copied' | 'none' | 'failed'>;
  /** The file has just been replaced by one without attributes. */
  hasNone(file: string): Promise<void>;
}

export function createAttributeKeeper(): AttributeKeeper {
  /** Files without attributes, with their state. A new attribute changes the time in it. */
  const plain = new Map<string, string>();
  let gnu: Promise<boolean> | undefined;

  return {
    async copy(file, existing, temporary) {
      if (plain.get(file) === stateOf(existing)) return 'none';
      gnu ??= hasGnuCopy();
      if (!(await gnu)) return 'none';
      const before = await stat(temporary, { bigint: true });
      const startedNs = BigInt(Date.now()) * 1_000_000n;
      try {
        await run('cp', ['--attributes-only', '--preserve=mode,xattr', '--', file, temporary], { timeout: TIMEOUT_MS });
      } catch {
        return 'failed';
      }
      const after = await stat(temporary, { bigint: true });
      // Untouched by the copying, as far as the clock can tell: then there was nothing to copy.
      const untouched = before.ctimeNs === after.ctimeNs && startedNs - before.ctimeNs > COARSEST_CLOCK_NS;
      return untouched ? 'none' : 'copied';
    },
    async hasNone(file) {
      plain.delete(file);
      plain.set(file, stateOf(await stat(file, { bigint: true })));
      const [oldest] = plain.keys();
      if (oldest !== undefined && plain.size > MOST_KNOWN) plain.delete(oldest);
    },
  };
}

function stateOf({ dev, ino, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${ctimeNs}`;
}

async function hasGnuCopy(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    const { stdout } = await run('cp', ['--version'], { timeout: TIMEOUT_MS });
    return stdout.includes('GNU');
  } catch {
    return false;
  }
}
