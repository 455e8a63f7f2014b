import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CausewayError, serverConfig, serverToolName, type ServerConfig } from '../../../../src-shared/index.ts';
import { createLocalOperator } from '../../../operator/index.ts';
import type { ToolContext } from '../../../tools/index.ts';
import type { Bench, BenchContext, BenchRow } from './contract.ts';
import { echoServer, httpEchoServer } from './echo-server.ts';
import { median, sampleMs, toRow } from './measure.ts';

const NAME = 'bench-echo';
const RUNS = 2000;
const ROUNDS = 8;
/** Calls at once. */
const MANY = 64;
const MANY_RUNS = 160;
/** Both clients take some calls until their code is compiled. */
const WARM_UP = 100;
const GOAL = 1.15;
const INPUT = { text: 'hello' };

/** A call of an attached server's tool over stdio, against the SDK's client alone on the same server. */
export const mcpClient: Bench = {
  name: 'mcp.client.call',
  run: (context) =>
    compare(context, {
      name: 'mcp.client.call',
      config: serverConfig.parse(echoServer),
      transport: new StdioClientTransport(echoServer),
      note: "Floor: the SDK's client alone, over stdio, on another process of the same server.",
    }),
};

/** The same over Streamable HTTP. */
export const mcpClientHttp: Bench = {
  name: 'mcp.client.http',
  async run(context) {
    const child = spawn(httpEchoServer.command, httpEchoServer.args, { stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      const [port] = (await once(child.stdout, 'data')) as [Buffer];
      const url = `http://127.0.0.1:${port.toString().trim()}/mcp`;
      return await compare(context, {
        name: 'mcp.client.http',
        config: serverConfig.parse({ url }),
        transport: new StreamableHTTPClientTransport(new URL(url)),
        note: "Floor: the SDK's client alone, over Streamable HTTP, at the same address.",
      });
    } finally {
      child.kill('SIGKILL');
    }
  },
};

/** Many calls at once, over stdio. */
export const mcpClientMany: Bench = {
  name: 'mcp.client.many',
  run: (context) =>
    compare(context, {
      name: 'mcp.client.many',
      config: serverConfig.parse(echoServer),
      transport: new StdioClientTransport(echoServer),
      atOnce: MANY,
      note: `${MANY} calls at once until the last answer. Floor: the same with the SDK's client alone.`,
    }),
};

interface Comparison {
  name: string;
  config: ServerConfig;
  /** The bare client's. */
  transport: Transport;
  atOnce?: number;
  note: string;
}

async function compare(
  context: BenchContext,
  { name, config, transport, atOnce = 1, note }: Comparison,
): Promise<BenchRow> {
  const { servers, collection } = context.app;
  await using cleanup = new AsyncDisposableStack();
  const direct = new Client({ name: 'causeway-bench', version: '1' });
  cleanup.defer(() => direct.close());
  await direct.connect(transport);
  const view = await servers.attach(NAME, config);
  cleanup.defer(() => servers.remove(NAME));
  const tool = collection.find(serverToolName(NAME, 'echo'));
  if (!tool)
    throw new CausewayError('unavailable', `The benchmark's server did not start: ${view.message ?? view.state}`);
  const call = await toolContext(context);

  const times = (work: () => Promise<unknown>) => () => Promise.all(Array.from({ length: atOnce }, work));
  const bare = times(() => direct.callTool({ name: 'echo', arguments: INPUT }));
  const ours = times(() => tool.execute(INPUT, call));
  const runs = Math.ceil((atOnce === 1 ? RUNS : MANY_RUNS) / ROUNDS);
  const options = { signal: context.signal, warmUp: Math.ceil(WARM_UP / atOnce) };
  // In turns, so that both see the machine in the same state.
  const floors: number[] = [];
  const values: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    floors.push(...(await sampleMs(runs, bare, options)));
    values.push(...(await sampleMs(runs, ours, options)));
  }
  return toRow({ name, value: median(values), unit: 'ms', floor: median(floors), goal: GOAL, note });
}

async function toolContext({ folder, sessionId, signal }: BenchContext): Promise<ToolContext> {
  return {
    signal,
    callId: 'bench',
    sessionId,
    caller: { kind: 'person' },
    operator: await createLocalOperator({ workspace: folder }),
    output: { write: () => undefined, progress: () => undefined },
    ask: () => Promise.reject(new CausewayError('unavailable', 'Nobody can be asked in a benchmark.')),
  };
}
