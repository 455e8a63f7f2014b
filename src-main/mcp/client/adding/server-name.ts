import path from 'node:path';
import type { ServerConfig } from '../../../../src-shared/index.ts';
import { isStdio } from '../target.ts';

/** A name for a server that was given none: that of its package, program or host. */
export function nameFor(config: ServerConfig): string {
  return (isStdio(config) ? nameOfProgram(config.command, config.args) : nameOfAddress(String(config.url))) || 'server';
}

function nameOfProgram(command: string, args: readonly string[]): string {
  const program = path.basename(command.replaceAll('\\', '/')).replace(/\.(exe|cmd|bat|sh|js|mjs|py)$/i, '');
  const runner = /^(npx|bunx|pnpx|pnpm|npm|yarn|uvx|uv|pipx|node|bun|deno|python3?|docker|podman|cmd)$/i.test(program);
  const words = args.filter((word) => !word.startsWith('-') && !/^(run|exec|dlx|x|tool|npx|\/c)$/i.test(word));
  const word = runner ? (words.find((item) => /[a-z]/i.test(item)) ?? program) : program;
  return tidy(word.replace(/(?<=.)@[^/]*$/, ''));
}

/** `@modelcontextprotocol/server-git`, `mcp-server-git` and `/srv/git-mcp/index.js` are all about git. */
function tidy(word: string): string {
  const parts = word.replaceAll('\\', '/').split('/').filter(Boolean);
  const last = parts.at(-1)?.replace(/\.(js|mjs|cjs|ts|py)$/i, '') ?? '';
  const telling = /^(index|main|server|cli|app|mcp)$/i.test(last)
    ? (parts.findLast((part) => !/^(index|main|server|cli|app|mcp|dist|build|src|bin)(\.\w+)?$/i.test(part)) ?? last)
    : last;
  const bare = telling.replace(/^@/, '').replace(/^(mcp-server-|server-|mcp-)|(-mcp-server|-server|-mcp)$/gi, '');
  return bare || telling;
}

function nameOfAddress(address: string): string {
  const { hostname } = new URL(address);
  if (/^[\d.]+$|^\[/.test(hostname)) return hostname.replace(/[[\]]/g, '');
  const labels = hostname.split('.').filter((label) => !/^(www|mcp|api|sse|server)$/i.test(label));
  return labels.length > 1 ? (labels.at(-2) ?? '') : (labels[0] ?? hostname);
}
