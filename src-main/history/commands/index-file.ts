import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { caller, entryType } from '../../../src-shared/index.ts';
import type { Actor } from '../contract.ts';
import type { Kept } from './copies.ts';

const INDEX = 'index.json';
const OPEN = 'open.json';

const index = z.object({
  root: z.string(),
  since: z.number().optional(),
  device: z.number().optional(),
  entries: z.array(z.tuple([z.string(), entryType, z.string(), z.number(), z.number(), z.string().nullable()])),
});
const opened = z.object({
  sessionId: z.string(),
  callId: z.string().optional(),
  tool: z.string().optional(),
  caller,
  goesOn: z.boolean().optional(),
});

/** A workspace as a Causeway knew it that has ended. */
export interface LastKnown {
  readonly root: string;
  readonly known: Map<string, Kept>;
  /** The newest edit when it was looked at; an earlier Causeway did not note it. */
  readonly since: number | undefined;
  /** Whose command was running then: it was killed, or `goesOn`. */
  readonly actor: Actor | undefined;
  readonly goesOn: boolean;
  /** False while its disk seems not to be there: then its files are not lost. */
  readonly isThere: boolean;
}

/** Writes what is known of a workspace beside its copies. */
export function writeIndex(
  folder: string,
  { root, since, known }: { root: string; since: number; known: ReadonlyMap<string, Kept> },
): void {
  const entries = [...known].map(
    ([
      file,
      {
        stamp: { type, key, size, mode },
        copy,
      },
    ]) => [...[file, type, key, size, mode, copy]],
  );
  write(path.join(folder, INDEX), { root, since, device: deviceOf(root), entries });
}

/** Notes whose command is running, before it starts; undefined when none is. `goesOn`: it does so without this program. */
export function writeOpen(folder: string, actor: (Actor & { goesOn?: boolean }) | undefined): void {
  if (actor) write(path.join(folder, OPEN), actor);
  else rmSync(path.join(folder, OPEN), { force: true });
}

/** Whole or not at all when the program is killed; that a power cut may take it is worth the time of not waiting for the disk. */
function write(file: string, value: unknown): void {
  writeFileSync(`${file}.new`, JSON.stringify(value), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** True when a command's changes are still to be recorded. */
export function isOpen(folder: string): boolean {
  return existsSync(path.join(folder, OPEN));
}

/** Undefined when there is nothing, or nothing that can be understood. */
export function readIndex(folder: string): LastKnown | undefined {
  const found = index.safeParse(readJson(path.join(folder, INDEX)));
  if (!found.success) return undefined;
  const { root, since, device, entries } = found.data;
  const known = entries.map(([file, type, key, size, mode, copy]): [string, Kept] => [
    file,
    { stamp: { type, key, size, mode }, copy },
  ]);
  const by = opened.safeParse(readJson(path.join(folder, OPEN))).data;
  return {
    root,
    known: new Map(known),
    since,
    actor: by && toActor(by),
    goesOn: by?.goesOn === true,
    isThere: isThere(root, device),
  };
}

/**
 * A workspace in which nothing is may have been emptied or removed by the command: then what is above it is on the same disk. It is not
 * when the workspace's disk is not there.
 */
function isThere(root: string, device: number | undefined): boolean {
  if (existsSync(root) && (device === undefined || readdirSync(root).length > 0)) return true;
  return device !== undefined && deviceOf(root) === device;
}

/** The disk of a folder, or of the nearest one above it that there is. */
function deviceOf(folder: string): number | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false });
  const above = path.dirname(folder);
  return stats?.dev ?? (above === folder ? undefined : deviceOf(above));
}

function toActor({ callId, tool, goesOn: _goesOn, ...rest }: z.infer<typeof opened>): Actor {
  return { ...rest, ...(callId !== undefined && { callId }), ...(tool !== undefined && { tool }) };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
