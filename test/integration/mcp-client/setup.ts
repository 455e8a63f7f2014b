import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createServers, type Servers, type ServersOptions } from '../../../src-main/mcp/client/index.ts';
import { createLocalOperator } from '../../../src-main/operator/index.ts';
import type { Tool, ToolContext } from '../../../src-main/tools/index.ts';
import type { JsonObject, ServerConfig, ServerView, ToolResult } from '../../../src-shared/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

export interface Setup {
  folder: string;
  servers: Servers;
}

/** Servers over a folder of their own; `config` is the text of the config file. Ended with the test. */
export function openServers(config?: unknown, options: Partial<ServersOptions> = {}): Setup {
  const folder = temporaryFolder();
  const configPath = path.join(folder, 'mcp.json');
  if (config !== undefined) writeFileSync(configPath, typeof config === 'string' ? config : JSON.stringify(config));
  const servers = createServers({
    configPath,
    runDir: path.join(folder, 'run'),
    clientInfo: { name: 'causeway-test', version: '1' },
    env: process.env,
    ...options,
  });
  onTestFinished(() => servers[Symbol.asyncDispose]());
  return { folder, servers };
}

/** A scripted server of test/fixtures/servers. */
export function scripted(name: string, env: Record<string, string> = {}): ServerConfig {
  const file = path.resolve(import.meta.dirname, '../../fixtures/servers', `${name}.ts`);
  return { command: process.execPath, args: [file], env, disabled: false };
}

/** The program that a package from npm installs, run with this Node. */
export function packaged(name: string, args: readonly string[] = []): ServerConfig {
  return { command: process.execPath, args: [programOf(name), ...args], env: {}, disabled: false };
}

/** The file of a package's only program. */
export function programOf(name: string): string {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> };
  return path.join(path.dirname(manifest), Object.values(bin)[0] ?? '');
}

export function toolOf(servers: Servers, originalName: string): Tool {
  const tool = servers.tools().find(({ origin }) => origin.kind === 'server' && origin.originalName === originalName);
  if (!tool)
    throw new Error(
      `No tool ${originalName} among ${servers
        .tools()
        .map(({ name }) => name)
        .join(', ')}`,
    );
  return tool;
}

export function viewOf(servers: Servers, name: string): ServerView {
  const view = servers.list().find((item) => item.name === name);
  if (!view) throw new Error(`No server ${name}`);
  return view;
}

/** Calls a tool of whichever server has it. */
export async function call(
  servers: Servers,
  originalName: string,
  input: JsonObject = {},
  context: Partial<ToolContext> = {},
): Promise<ToolResult> {
  return run(toolOf(servers, originalName), input, context);
}

/** Calls a tool, also one that its server does not offer any more. */
export async function run(tool: Tool, input: JsonObject = {}, context: Partial<ToolContext> = {}): Promise<ToolResult> {
  return tool.execute(input, {
    signal: new AbortController().signal,
    callId: 'call',
    sessionId: 'session',
    caller: { kind: 'person' },
    operator: await createLocalOperator({ workspace: import.meta.dirname }),
    output: { write: () => undefined, progress: () => undefined },
    ask: () => Promise.reject(new Error('nobody to ask')),
    ...context,
  });
}
