import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** What a new database stands in the place of. */
export interface Loss {
  /** What happened, why, and what to do: for the person. */
  readonly sentence: string;
  /** Where a damaged database is now. */
  readonly movedTo?: string;
}

/** Folders that fill up only beside a database that knows what is in them. */
const BESIDE = ['file-bytes', 'snapshots', 'blobs', 'outputs', 'backups'] as const;

/**
 * A database that is not there, or without a byte, looks like that of a first start: what lies beside it tells that it is none.
 * Asked before the database is opened, which makes it.
 */
export function findLoss(file: string): Loss | undefined {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  const home = path.dirname(file);
  if (size || !BESIDE.some((folder) => namesIn(path.join(home, folder)).length > 0)) return undefined;
  const what =
    size === 0
      ? `The database ${file} was empty, though it had been used before: something other than Causeway cut it off.`
      : `The database ${file} was not there, though there had been one: something other than Causeway removed it.`;
  return {
    sentence: `${what} A new one was started; your files were not touched, but the sessions and the history of edits up to now are not in it. ${wayBack(file)}`,
  };
}

/** @param why in the words of the database. */
export function describeDamage(file: string, movedTo: string, why: string): Loss {
  return {
    movedTo,
    sentence:
      `The database was damaged (${plain(why)}). It was moved to ${movedTo} and a new one was started; your files were not touched, but ` +
      `the sessions and the history of edits up to now are not in the new one. ${wayBack(file, movedTo)}`,
  };
}

function plain(why: string): string {
  return why
    .replace(/^\*\*\* in database main \*\*\*/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function wayBack(file: string, damaged?: string): string {
  const backup = newestBackup(path.dirname(file));
  const ways = [
    ...(damaged === undefined ? [] : [`what can still be read of the damaged one (${saving(damaged)})`]),
    ...(backup === undefined ? [] : [`the newest backup, ${backup}`]),
    ...(damaged === undefined && backup === undefined ? ['a copy of your own, if you have one'] : []),
  ];
  return `To get them back, end Causeway and put in the place of ${file}: ${ways.join(', or ')}.`;
}

/** `.recover` finds more, where it works: many builds of the program lack what it needs. A dump ends with a rollback after damage. */
function saving(damaged: string): string {
  return `sqlite3 '${damaged}' .dump | sed 's/^ROLLBACK.*/COMMIT;/' | sqlite3 saved.db`;
}

/** Backups are made before tables change; their names begin with the time. */
function newestBackup(home: string): string | undefined {
  const folder = path.join(home, 'backups');
  const name = namesIn(folder)
    .filter((one) => one.endsWith('.db'))
    .sort()
    .at(-1);
  return name && path.join(folder, name);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
