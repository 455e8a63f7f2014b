import type { ServerTrust, ToolSwitch } from '../../../../src-shared/index.ts';
import type { SeenServer, Trust } from './contract.ts';

/** Where the person decides about servers. Each method gives the server as it stands afterwards. @throws CausewayError `not_found`. */
export interface TrustDesk {
  view(server: string): ServerTrust;
  /** Without `key` for the whole server; null goes back to what holds above it. */
  setSwitch(server: string, key: string | undefined, value: ToolSwitch | null): ServerTrust;
  setHold(server: string, key: string | undefined, value: boolean | null): ServerTrust;
  setInstructions(server: string, on: boolean): ServerTrust;
  /** @throws CausewayError `conflict` when the definition is another than the one with this hash. */
  answer(server: string, answer: { key: string; hash: string; accept: boolean }): ServerTrust;
  /** Servers by when a tool of theirs was used last, the newest first. */
  recent(): string[];
}

/** @param servers `find` throws for a server that is not attached; `onChange` is told of each decision. */
export function createTrustDesk(
  trust: Trust,
  servers: { find(name: string): SeenServer; onChange(): void },
): TrustDesk {
  function change(server: string, work: (seen: SeenServer) => void): ServerTrust {
    work(servers.find(server));
    servers.onChange();
    return trust.view(servers.find(server));
  }
  return {
    view: (server) => trust.view(servers.find(server)),
    setSwitch: (server, key, value) => change(server, () => trust.setSwitch(server, key, value)),
    setHold: (server, key, value) => change(server, () => trust.setHold(server, key, value)),
    setInstructions: (server, on) => change(server, () => trust.setInstructions(server, on)),
    answer: (server, answer) => change(server, (seen) => trust.answer(seen, answer)),
    recent: () => trust.recent(),
  };
}
