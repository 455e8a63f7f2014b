import type { ServerHost } from '../../src-main/mcp/client/index.ts';
import { completeAnswer } from '../../src-main/approvals/server-requests.ts';

/** A person who says yes to everything and fills in nothing: what goes back is what Causeway makes of that. */
export const agreeableHost: ServerHost = {
  ask: (request) => Promise.resolve(completeAnswer(request, { action: 'accept', content: {} })),
  sample: () => Promise.resolve({ model: 'none', text: 'yes' }),
  roots: () => [],
};
