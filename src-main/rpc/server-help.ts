import type { Servers } from '../mcp/client/index.ts';
import type { Handlers } from './handlers.ts';

/** The longest that a window waits for the next message of a server, in milliseconds; then it asks again. */
const WAIT_MS = 20_000;

export function serverHelpHandlers(
  servers: Servers,
): Pick<Handlers, 'server.doctor' | 'server.setInput' | 'server.traffic'> {
  return {
    'server.doctor': ({ name }) => servers.doctor(name),
    'server.setInput': async ({ id, value }) => {
      await servers.setInput(id, value);
      return {};
    },
    'server.traffic': async ({ name, after, wait }) => {
      const traffic = servers.traffic(name);
      if (wait) await traffic.more(after, AbortSignal.timeout(WAIT_MS));
      return traffic.read(after);
    },
  };
}
