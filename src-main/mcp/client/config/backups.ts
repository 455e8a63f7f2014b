import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeFileAtomic } from '../../../platform/index.ts';

/** How many former versions of the config are kept. */
const KEPT = 5;

/** Keeps a former text of a file in the folder `backups` beside it, with the time in its name; the oldest ones go. */
export function keepBackup(file: string, text: string, now: Date = new Date()): void {
  const folder = path.join(path.dirname(file), 'backups');
  const { name, ext } = path.parse(file);
  writeFileAtomic(path.join(folder, `${name}-${now.toISOString().replaceAll(':', '-')}${ext}`), text);
  const dated = readdirSync(folder).filter((entry) => entry.startsWith(`${name}-`) && entry.endsWith(ext));
  for (const old of dated.sort().slice(0, -KEPT)) rmSync(path.join(folder, old), { force: true });
}
