import { randomUUID } from 'node:crypto';
import type { Operator } from '../../operator/index.ts';
import { joinSearchPaths, ownSearchPath, shellEnvironment } from './environment.ts';

/** The person's startup files get this long, in milliseconds. */
const DEADLINE_MS = 3000;
/** More output than this is not a PATH, in bytes. */
const MOST_OUTPUT = 1024 * 1024;

/**
 * PATH as the person's login shell sets it. Apps that a desktop starts do not have it; a program started in a terminal does,
 * and then nothing is run. Never fails: without an answer in time it is our own PATH.
 */
export async function resolveLoginPath(operator: Operator, env: NodeJS.ProcessEnv): Promise<string> {
  const own = ownSearchPath(env);
  // Terminals set TERM; docks, service managers and most MCP clients do not.
  if (env['TERM'] !== undefined || env['SHELL'] === undefined) return own;
  const found = await askLoginShell(operator, env['SHELL'], env, own);
  return found === undefined ? own : joinSearchPaths(found, own);
}

async function askLoginShell(
  operator: Operator,
  shell: string,
  env: NodeJS.ProcessEnv,
  own: string,
): Promise<string | undefined> {
  const nonce = randomUUID();
  const terminal = operator.openTerminal({
    // `env` prints the same whatever the shell's own syntax is; the nonce tells it from what startup files print.
    argv: [shell, '-ilc', `echo ${nonce}; /usr/bin/env; echo ${nonce}`],
    cwd: operator.workspace,
    env: { ...shellEnvironment(env, own), CAUSEWAY_RESOLVING_ENVIRONMENT: '1' },
    columns: 4096,
    rows: 24,
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
  const chunks: Uint8Array[] = [];
  let size = 0;
  terminal.onData((bytes) => {
    chunks.push(bytes);
    size += bytes.length;
    if (size > MOST_OUTPUT) end(undefined);
  });
  terminal.onExit(() => end(undefined));
  const timer = setTimeout(() => end(undefined), DEADLINE_MS);
  await ended;
  clearTimeout(timer);
  await terminal.kill();
  return readPath(Buffer.concat(chunks).toString('utf8'), nonce);
}

/** PATH out of what stands between the two nonces. */
export function readPath(output: string, nonce: string): string | undefined {
  const between = output.split(nonce)[1];
  if (between === undefined || output.split(nonce).length < 3) return undefined;
  return /^PATH=(.+?)\r?$/m.exec(between)?.[1];
}
