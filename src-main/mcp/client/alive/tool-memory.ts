import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isJsonObject, toolAnnotations, type ServerConfig } from '../../../../src-shared/index.ts';
import { makeFolders, writeFileAtomic } from '../../../platform/index.ts';
import type { ServerTool } from '../list-tools.ts';
import { isStdio } from '../target.ts';

/** Files of servers that are no more go when there are more than this. */
const MOST_FILES = 200;
/** A longer list is not worth keeping, in characters. */
const LONGEST = 4 * 1024 * 1024;

const schema = z.custom<ServerTool['inputSchema']>(isJsonObject);
const knownTool = z.object({
  name: z.string().min(1),
  title: z.string().optional(),
  description: z.string(),
  inputSchema: schema,
  outputSchema: schema.optional(),
  annotations: toolAnnotations.optional(),
  icons: z.array(z.looseObject({ src: z.string() })).optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
});

/** The tools that servers last listed, kept over restarts, so that they can be offered while the servers start. */
export interface ToolMemory {
  /** Undefined when the server was never ready with this entry. */
  recall(name: string, config: ServerConfig): ServerTool[] | undefined;
  remember(name: string, config: ServerConfig, tools: readonly ServerTool[]): void;
}

/** Never throws: it only saves waiting. */
export function openToolMemory(runDir: string): ToolMemory {
  const folder = path.join(runDir, 'known-tools');
  const fileOf = (name: string, config: ServerConfig): string => path.join(folder, `${keyOf(name, config)}.json`);
  return {
    recall(name, config) {
      try {
        return z.array(knownTool).parse(JSON.parse(readFileSync(fileOf(name, config), 'utf8')));
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
  };
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
