import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject, type ServerConfig } from '../../../../src-shared/index.ts';
import { makeFolders, writeFileAtomic } from '../../../platform/index.ts';
import type { ServerTool } from '../list-tools.ts';
import { isStdio } from '../target.ts';

/** Files of servers that are no more go when there are more than this. */
const MOST_FILES = 200;
/** A longer list is not worth keeping, in characters. */
const LONGEST = 4 * 1024 * 1024;

/** The tools that servers last listed, kept over restarts, so that they can be offered while the servers start. */
export interface ToolMemory {
  /** Undefined when the server was never ready with this entry. */
  recall(name: string, config: ServerConfig): ServerTool[] | undefined;
  remember(name: string, config: ServerConfig, tools: readonly ServerTool[]): void;
  /** For a server that was removed: another one may get its name. */
  forget(name: string, config: ServerConfig): void;
}

/** Never throws: it only saves waiting. */
export function openToolMemory(runDir: string): ToolMemory {
  const folder = path.join(runDir, 'known-tools');
  const fileOf = (name: string, config: ServerConfig): string => path.join(folder, `${keyOf(name, config)}.json`);
  return {
    recall(name, config) {
      try {
        const kept: unknown = JSON.parse(readFileSync(fileOf(name, config), 'utf8'));
        return Array.isArray(kept) && kept.every(isTool) ? kept : undefined;
      } catch {
        return undefined;
      }
    },
    remember(name, config, tools) {
      try {
        const text = JSON.stringify(tools);
        const file = fileOf(name, config);
        if (text.length > LONGEST) rmSync(file, { force: true });
        else if (readIfThere(file) !== text) {
          makeFolders(folder, 0o700);
          writeFileAtomic(file, text);
          prune(folder);
        }
      } catch {
        // A full disk: the next start waits for the server.
      }
    },
    forget(name, config) {
      try {
        rmSync(fileOf(name, config), { force: true });
      } catch {
        // The list of another server of that name takes its place.
      }
    },
  };
}

/** As this program wrote it: fifty servers are looked at while the window waits, so no more than this is checked. */
function isTool(value: unknown): value is ServerTool {
  return (
    isJsonObject(value) &&
    typeof value['name'] === 'string' &&
    typeof value['description'] === 'string' &&
    isJsonObject(value['inputSchema'])
  );
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function prune(folder: string): void {
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  if (files.length <= MOST_FILES) return;
  const byAge = files.map((file) => ({ file, at: statSync(file).mtimeMs })).sort((a, b) => b.at - a.at);
  for (const { file } of byAge.slice(MOST_FILES)) rmSync(file, { force: true });
}

/** Hashed: entries can hold secrets. Another command, folder, address or key may mean other tools. */
function keyOf(name: string, config: ServerConfig): string {
  const identity = isStdio(config)
    ? [name, config.command, config.args, config.env, config.cwd ?? null]
    : [name, config.url, config.headers];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
}
