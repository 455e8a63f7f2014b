import path from 'node:path';
import { success, type ToolResult } from '../../../src-shared/index.ts';
import type { DirectoryEntry } from '../../operator/index.ts';
import type { ToolContext } from '../contract.ts';
import { loadIgnoreRules, type IgnoreRules } from './ignore-rules.ts';

/** How deep a folder is shown. */
const LEVELS = 2;
/** Entries shown at most. */
const MAX_ENTRIES = 1000;

interface Listing {
  lines: string[];
  hidden: number;
  ignored: number;
  /** Entries that found no room. */
  beyond: number;
  /** Folders that could not be read. */
  unreadable: string[];
}

/** Shows a folder two levels deep. What is hidden or ignored is left out, and counted. */
export async function viewFolder(context: ToolContext, folder: string): Promise<ToolResult> {
  const { files } = context.operator;
  const listing: Listing = { lines: [], hidden: 0, ignored: 0, beyond: 0, unreadable: [] };
  const entries = await files.list(folder);
  await addEntries(context, listing, { folder, prefix: '', level: 1, entries }, await loadIgnoreRules(files, folder));
  const text = [`${folder}${path.sep}`, ...listing.lines].join('\n');
  const notes = describeRest(listing);
  return success(listing.lines.length === 0 && notes === '' ? `${folder} is an empty folder.` : text, {
    ...(notes !== '' && { system: notes }),
  });
}

async function addEntries(
  context: ToolContext,
  listing: Listing,
  at: { folder: string; prefix: string; level: number; entries: readonly DirectoryEntry[] },
  rules: IgnoreRules,
): Promise<void> {
  for (const { name, kind } of at.entries) {
    context.signal.throwIfAborted();
    const entry = path.join(at.folder, name);
    const isFolder = kind === 'directory';
    if (name.startsWith('.')) listing.hidden += 1;
    else if (name === 'node_modules' || rules.ignores({ path: entry, isFolder })) listing.ignored += 1;
    else if (listing.lines.length >= MAX_ENTRIES) listing.beyond += 1;
    else {
      listing.lines.push(`${at.prefix}${name}${isFolder ? '/' : kind === 'symlink' ? '@' : ''}`);
      if (isFolder && at.level < LEVELS) await addFolder(context, listing, entry, { ...at, name }, rules);
    }
  }
}

async function addFolder(
  context: ToolContext,
  listing: Listing,
  folder: string,
  parent: { prefix: string; level: number; name: string },
  rules: IgnoreRules,
): Promise<void> {
  const { files } = context.operator;
  const entries = await files.list(folder).catch(() => undefined);
  if (!entries) {
    listing.unreadable.push(folder);
    return;
  }
  const prefix = `${parent.prefix}${parent.name}/`;
  await addEntries(context, listing, { folder, prefix, level: parent.level + 1, entries }, await rules.with(folder));
}

function describeRest({ hidden, ignored, beyond, unreadable }: Listing): string {
  const left = [
    hidden > 0 && `${hidden} hidden`,
    ignored > 0 && `${ignored} ignored (node_modules, .gitignore)`,
    beyond > 0 && `${beyond} beyond the first ${MAX_ENTRIES}`,
  ].filter((part) => part !== false);
  const notes: string[] = [];
  if (left.length > 0) notes.push(`Left out: ${left.join(', ')}.`);
  if (unreadable.length > 0) notes.push(`Could not be read: ${unreadable.join(', ')}.`);
  return notes.join(' ');
}
