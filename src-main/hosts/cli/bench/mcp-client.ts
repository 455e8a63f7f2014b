import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CausewayError, serverToolName } from '../../../../src-shared/index.ts';
import { createLocalOperator } from '../../../operator/index.ts';
import type { ToolContext } from '../../../tools/index.ts';
import type { Bench, BenchContext } from './contract.ts';
import { echoServer } from './echo-server.ts';
import { median, sampleMs, toRow } from './measure.ts';

const NAME = 'bench-echo';
const RUNS = 2000;
const ROUNDS = 8;
/** Both clients take some calls until their code is compiled. */
const WARM_UP = 100;

/** A call of an attached server's tool, against the SDK's client alone on the same server. */
export const mcpClient: Bench = {
  name: 'mcp.client.call',
  async run(context) {
    const { servers } = context.app;
    await using cleanup = new AsyncDisposableStack();
    const view = await servers.attach(NAME, { ...echoServer, env: {}, disabled: false });
    cleanup.defer(() => servers.remove(NAME));
    const tool = servers.tools().find(({ name }) => name === serverToolName(NAME, 'echo'));
    if (!tool)
      throw new CausewayError('unavailable', `The benchmark's server did not start: ${view.message ?? view.state}`);
    const call = await toolContext(context);

    const direct = new Client({ name: 'causeway-bench', version: '1' });
    await direct.connect(new StdioClientTransport(echoServer));
    cleanup.defer(() => direct.close());

    const input = { text: 'hello' };
    const options = { signal: context.signal, warmUp: WARM_UP };
    // In turns, so that both see the machine in the same state.
    const floors: number[] = [];
    const values: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      floors.push(
        ...(await sampleMs(RUNS / ROUNDS, () => direct.callTool({ name: 'echo', arguments: input }), options)),
      );
      values.push(...(await sampleMs(RUNS / ROUNDS, () => tool.execute(input, call), options)));
    }
    return toRow({
      name: 'mcp.client.call',
      value: median(values),
      unit: 'ms',
      floor: median(floors),
      goal: 1.15,
      note: "Floor: the SDK's client alone, over stdio, on another process of the same server.",
    });
  },
};

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
