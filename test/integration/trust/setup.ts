import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createServers, createTrust, createTrustStore, trustSchema } from '../../../src-main/mcp/client/index.ts';
import type { Servers } from '../../../src-main/mcp/client/index.ts';
import { openStore, type Store } from '../../../src-main/store/index.ts';
import type { ServerConfig, ServerTrust, ToolTrust } from '../../../src-shared/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { call } from '../mcp-client/setup.ts';
import { tool, type Params } from '../../fixtures/servers/scripted.ts';

export { tool };

/** A data folder with the attached server "shop", whose tools a test can change at will. */
export interface Shop {
  readonly home: string;
  readonly config: ServerConfig;
  /** What the server says from now on, whenever it is asked. */
  say(content: { tools: Params[]; instructions?: string; results?: Record<string, Params> }): void;
  /** Causeway's client on this data folder, with the server ready; another one at a later time is a restart. */
  open(): Promise<OpenShop>;
}

export interface OpenShop extends AsyncDisposable {
  readonly servers: Servers;
  readonly store: Store;
  trust(): ServerTrust;
  tool(key: string): ToolTrust;
  /** Original names of what models are offered. */
  offered(): string[];
  /** Lets the server tell that its tools changed, and waits until that was heard. */
  announce(until: () => unknown): Promise<void>;
}

export function openShop(): Shop {
  const home = temporaryFolder('causeway-trust-');
  const script = path.join(home, 'script.json');
  const configPath = path.join(home, 'mcp.json');
  const file = path.resolve(import.meta.dirname, '../../fixtures/servers/rug-pull.ts');
  const config = { command: process.execPath, args: [file], env: { SCRIPT: script }, disabled: false };
  writeFileSync(configPath, JSON.stringify({ mcpServers: { shop: config } }));

  return {
    home,
    config,
    say: (content) =>
      writeFileSync(
        script,
        JSON.stringify({
          ...content,
          tools: [...content.tools, tool('announce', { annotations: { readOnlyHint: true } })],
        }),
      ),
    async open() {
      const store = openStore({ home, schemas: [{ name: 'trust', steps: trustSchema }] });
      const servers = createServers({
        configPath,
        runDir: path.join(home, 'run'),
        clientInfo: { name: 'causeway-test', version: '1' },
        env: process.env,
        trust: createTrust(createTrustStore(store.db)),
      });
      let open = true;
      const close = async (): Promise<void> => {
        if (!open) return;
        open = false;
        await servers[Symbol.asyncDispose]();
        store[Symbol.dispose]();
      };
      onTestFinished(close);
      servers.start();
      await servers.settled({ deadlineMs: 20_000 });
      const names = (): string[] =>
        servers.tools().flatMap(({ origin }) => (origin.kind === 'server' ? [origin.originalName] : []));
      const find = (key: string): ToolTrust => {
        const found = servers.trust.view('shop').tools.find((item) => item.key === key);
        if (!found) throw new Error(`No tool ${key}`);
        return found;
      };
      return {
        servers,
        store,
        trust: () => servers.trust.view('shop'),
        tool: find,
        offered: () => names().filter((name) => name !== 'announce'),
        async announce(until) {
          await call(servers, 'announce');
          await waitFor(until);
        },
        [Symbol.asyncDispose]: close,
      };
    },
  };
}
