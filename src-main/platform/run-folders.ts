import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { endFamily, type ProcessFamily } from './process-family.ts';
import { isRunning, processIdentity } from './processes.ts';

const RECORD = 'run.json';

/** A private folder (0700) of one child process, with a record by which a later start can end it and remove the folder. */
export interface RunFolder extends Disposable {
  readonly path: string;
  /** Adds the process itself to the record, once it runs. Never throws: the mark in the record finds the process too. */
  setRoot(pid: number): void;
}

interface RunRecord extends ProcessFamily {
  /** The Causeway process that answers for it. */
  readonly owner: string;
}

/**
 * Makes the folder and its record before the process starts, so that no kill -9 in between goes unrecorded.
 * Disposing removes the folder, not the process.
 */
export function createRunFolder(runDir: string, kind: string, mark: string): RunFolder {
  mkdirSync(runDir, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(path.join(runDir, `${kind}-`));
  const owner = processIdentity(process.pid) ?? String(process.pid);
  /** In one step: a disk that is full, or a kill in between, must not leave a process without its record. */
  function record(root: string | undefined): void {
    const next = path.join(folder, `${RECORD}.next`);
    writeFileSync(next, JSON.stringify({ owner, root, mark } satisfies RunRecord), { mode: 0o600 });
    renameSync(next, path.join(folder, RECORD));
  }
  record(undefined);
  return {
    path: folder,
    setRoot(pid) {
      try {
        record(processIdentity(pid));
      } catch {
        // A full disk: the former record stands.
      }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Ends what a Causeway that no longer runs left behind, and removes its folders. Returns how many there were. */
export async function reapRunFolders(runDir: string, kind: string): Promise<number> {
  const left = foldersIn(runDir, kind)
    .map((folder) => ({ folder, record: readRecord(folder) }))
    .filter(({ record }) => record !== undefined && !isRunning(record.owner));
  await Promise.all(left.map(({ record }) => record && endFamily(record)));
  for (const { folder } of left) rmSync(folder, { recursive: true, force: true });
  return left.length;
}

function foldersIn(runDir: string, kind: string): string[] {
  try {
    return readdirSync(runDir)
      .filter((name) => name.startsWith(`${kind}-`))
      .map((name) => path.join(runDir, name));
  } catch {
    return [];
  }
}

/** Undefined for anything that is not a whole record: it may be in the making. */
function readRecord(folder: string): RunRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path.join(folder, RECORD), 'utf8'));
    if (typeof value !== 'object' || value === null || !('owner' in value) || !('mark' in value)) return undefined;
    if (typeof value.owner !== 'string' || typeof value.mark !== 'string' || value.mark === '') return undefined;
    const root = 'root' in value && typeof value.root === 'string' ? value.root : undefined;
    return { owner: value.owner, mark: value.mark, root };
  } catch {
    return undefined;
  }
}
