import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from '../../../app.ts';
import { createRpcConnection } from '../../../rpc/index.ts';
import { baseOptions } from '../../app-options.ts';
import type { Bench, BenchContext } from './contract.ts';
import { echoScript, echoServer } from './echo-server.ts';
import { toRow } from './measure.ts';

const SERVERS = 50;
const RUNS = 9;
const GOAL = 1.15;
/** Between two starts, in milliseconds. */
const QUIET_MS = 1_000;
/** What the window asks for when it opens. */
const FIRST_QUESTIONS = ['host.info', 'session.list', 'server.list', 'tool.list', 'settings.get'];

/** How long until the core has answered what a window asks for first, with fifty servers attached against none. */
export const mcpStart: Bench = {
  name: 'mcp.client.start',
  async run(context) {
    const [none, fifty] = [homeWith(context, 0), homeWith(context, SERVERS)];
    // The first start compiles the code, and makes the databases.
    await startOnce(context, none);
    await startOnce(context, fifty);
    const floors: number[] = [];
    const values: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      context.signal.throwIfAborted();
      floors.push(await startOnce(context, none));
      values.push(await startOnce(context, fifty));
    }
    return toRow({
      name: 'mcp.client.start',
      // The best of each: whatever else the machine does only adds to a start, and by more than the servers do.
      value: Math.min(...values),
      unit: 'ms',
      floor: Math.min(...floors),
      goal: GOAL,
      note: `Best of ${RUNS}. From the start of the core until it has answered what a window asks first, with ${SERVERS} servers that start. Floor: with none.`,
    });
  },
};

function homeWith({ folder }: BenchContext, count: number): string {
  const home = path.join(folder, `home-${count}`);
  mkdirSync(home);
  // A file, as people have it: the script itself in every entry would make a config that nobody has.
  const file = path.join(home, 'echo.cjs');
  writeFileSync(file, echoScript);
  const entry = { command: echoServer.command, args: [file] };
  const entries = Array.from({ length: count }, (_, index) => [`server-${index}`, entry]);
  writeFileSync(path.join(home, 'mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  return home;
}

async function startOnce({ folder }: BenchContext, home: string): Promise<number> {
  // Fifty programs that were just ended are still being cleared away by the system.
  await delay(QUIET_MS);
  const start = performance.now();
  await using app = await createApp({ ...baseOptions({ workspace: folder }), home, canAsk: () => false });
  app.servers.start();
  const host = { kind: 'web' as const, env: process.env, doctor: () => Promise.resolve([]) };
  using window = createRpcConnection({ app, host, send: () => undefined });
  const answers = FIRST_QUESTIONS.map((method, id) => window.handle({ id, method, params: {} }));
  await Promise.all(answers);
  return performance.now() - start;
}
