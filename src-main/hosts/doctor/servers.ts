import type { Finding, ServerView } from '../../../src-shared/index.ts';
import type { App } from '../../app.ts';

/** How long servers may take to start before they count as slow, in milliseconds. */
const DEADLINE_MS = 15_000;

/** Every attached server: started already by the host, or started here. */
export async function checkServers({ servers }: App, signal: AbortSignal): Promise<Finding[]> {
  servers.start();
  await servers.settled({ deadlineMs: DEADLINE_MS, signal });
  const found = servers.list().map(describeServer);
  return found.length > 0 ? found : [{ name: 'Servers', status: 'ok', detail: 'No MCP servers are attached.' }];
}

function describeServer({ name, state, message, tools, target }: ServerView): Finding {
  const title = `Server "${name}"`;
  if (state === 'ready') return { name: title, status: 'ok', detail: `${tools.length} tools, ${target}.` };
  if (state === 'off') return { name: title, status: 'ok', detail: 'Switched off.' };
  return {
    name: title,
    status: 'warning',
    detail: message ?? `It is ${state}.`,
    fix: `Try "causeway servers test ${name}", or detach it with "causeway servers remove ${name}".`,
  };
}
