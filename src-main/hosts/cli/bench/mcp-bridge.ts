import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { serverToolName } from '../../../../src-shared/index.ts';
import { createEndpoint } from '../../../mcp/endpoint/index.ts';
import type { Bench, BenchContext } from './contract.ts';
import { echoServer } from './echo-server.ts';
import { median, sampleMs, toRow } from './measure.ts';

const NAME = 'bench-echo';
const RUNS = 1200;
/** Two SDK clients and a server take some calls until their code is compiled. */
const WARM_UP = 100;
const clientInfo = { name: 'causeway-bench', version: '1' };

/** A call through Causeway to an attached stdio server, against calling that same server directly. */
export const mcpBridge: Bench = {
  name: 'mcp.bridge.call',
  async run(context) {
    const { servers } = context.app;
    await servers.attach(NAME, { ...echoServer, env: {}, disabled: false });
    await using cleanup = new AsyncDisposableStack();
    cleanup.defer(() => servers.remove(NAME));

    const direct = new Client(clientInfo);
    await direct.connect(new StdioClientTransport(echoServer));
    cleanup.defer(() => direct.close());

    const bridged = new Client(clientInfo);
    await bridged.connect(await throughCauseway(context, cleanup));
    cleanup.defer(() => bridged.close());

    const input = { arguments: { text: 'hello' } };
    const options = { signal: context.signal, warmUp: WARM_UP };
    // In turns, so that both see the machine in the same state.
    const floors: number[] = [];
    const values: number[] = [];
    const bridgedName = serverToolName(NAME, 'echo');
    for (let round = 0; round < 4; round += 1) {
      floors.push(...(await sampleMs(RUNS / 4, () => direct.callTool({ name: 'echo', ...input }), options)));
      values.push(...(await sampleMs(RUNS / 4, () => bridged.callTool({ name: bridgedName, ...input }), options)));
    }
    return toRow({
      name: 'mcp.bridge.call',
      value: median(values),
      unit: 'ms',
      floor: median(floors),
      goal: 1.5,
      note: 'Floor: the same server called directly over stdio. The way through includes approval, log and both schema checks.',
    });
  },
};

/** A client's transport whose other end is Causeway, in this process. */
async function throughCauseway(
  { app, sessionId }: BenchContext,
  cleanup: AsyncDisposableStack,
): Promise<InMemoryTransport> {
  const endpoint = cleanup.use(
    createEndpoint({
      source: app.servers,
      gateway: app.gateway,
      onToolsChanged: (listener) => app.servers.onChange(listener),
      serverInfo: { name: 'causeway', version: '1' },
      openSession: () => ({ sessionId, close: () => undefined }),
    }),
  );
  const [here, there] = InMemoryTransport.createLinkedPair();
  await endpoint.open({ via: 'bench', era: 'legacy', lasts: 'connection' }).connect(there);
  return here;
}
