import { readdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';

/** Files changed since then may still be written by another Causeway, in milliseconds. */
const FRESH_MS = 10 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Removes files that are older than `days`, then the oldest until the rest takes at most `allBytes`. Those that `keep` names and
 * fresh ones stay. What cannot be looked at or removed is left for the next time: never rejects.
 */
export async function pruneFolder(
  folder: string,
  { days, allBytes, keep }: { days: number; allBytes: number; keep: (name: string) => boolean },
): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const found: { file: string; size: number; changed: number }[] = [];
  // One after the other: this is nobody's hurry.
  for (const name of names) {
    if (keep(name)) continue;
    const file = path.join(folder, name);
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFile()) found.push({ file, size: stats.size, changed: stats.mtimeMs });
  }
  found.sort((a, b) => b.changed - a.changed);
  const now = Date.now();
  let size = 0;
  for (const entry of found) {
    size += entry.size;
    const age = now - entry.changed;
    if (age < FRESH_MS || (age <= days * DAY_MS && size <= allBytes)) continue;
    await unlink(entry.file).catch(() => undefined);
  }
}
