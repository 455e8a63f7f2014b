import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { failure, type JsonObject, type ToolResult } from '../../../../src-shared/index.ts';
import { createLocalOperator } from '../../../operator/index.ts';
import { createSandbox } from '../../../sandbox/index.ts';
import { createBashTool } from '../../../tools/bash/index.ts';
import { packageFolder } from '../../paths.ts';
import type { BenchContext } from './contract.ts';

interface BenchShell extends AsyncDisposable {
  /** @throws Error when the command fails. */
  run(command: string): Promise<ToolResult>;
}

/** A bash tool of its own in the benchmark's folder: what the log of a call costs is another row's business. */
export async function openShell({ app, folder, sessionId, signal }: BenchContext): Promise<BenchShell> {
  const operator = await createLocalOperator({ workspace: folder });
  const { outputs, settings } = app.store;
  const tool = createBashTool({
    ...{ outputs, settings: settings.get, runDir: `${folder}/run`, env: process.env },
    sandbox: createSandbox({
      searchPath: process.env['PATH'] ?? '',
      forwarder: { node: process.execPath, script: path.join(packageFolder(), 'assets', 'network', 'forward.mjs') },
    }),
    home: app.store.home,
  });
  const context = {
    ...{ signal, sessionId, operator, callId: 'bench', caller: { kind: 'person' as const } },
    output: { write: () => undefined, progress: () => undefined },
    ask: () => Promise.reject(new Error('Benchmarks ask nothing.')),
  };
  async function run(command: string): Promise<ToolResult> {
    const input: JsonObject = { command };
    const result = await tool.execute(input, context).catch((error: unknown) => failure(String(error)));
    if (result.isError) throw new Error(`${command} failed in the benchmark's shell.`);
    return result;
  }
  return { run, [Symbol.asyncDispose]: () => tool[Symbol.asyncDispose]() };
}

/** Runs a program on a bare terminal and only counts its bytes. */
export async function drainTerminal({ folder, signal }: BenchContext, argv: readonly string[]): Promise<number> {
  const operator = await createLocalOperator({ workspace: folder });
  const terminal = operator.openTerminal({
    // Without the terminal's own translation of line ends, as in the tool: it takes longer than everything else.
    argv: ['sh', '-c', 'stty -onlcr; exec "$@"', 'sh', ...argv],
    cwd: operator.workspace,
    env: { PATH: process.env['PATH'] ?? '' },
    columns: 160,
    rows: 50,
  });
  let bytes = 0;
  terminal.onData((chunk) => {
    bytes += chunk.length;
  });
  const { promise: ended, resolve } = Promise.withResolvers<undefined>();
  terminal.onExit(() => resolve(undefined));
  signal.addEventListener('abort', () => resolve(undefined), { once: true });
  await ended;
  if (signal.aborted) await terminal.kill();
  return bytes;
}

/** The same through a pipe. */
export async function drainPipe(
  { folder, signal }: BenchContext,
  [program, ...args]: readonly [string, ...string[]],
): Promise<number> {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'], signal });
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await once(child, 'close');
  return bytes;
}
