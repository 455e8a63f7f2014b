import { expect, it } from 'vitest';
import { openServers, packaged } from '../mcp-client/setup.ts';

it('nothing is flagged in servers that many people use', async () => {
  const { servers } = openServers({
    mcpServers: {
      everything: packaged('@modelcontextprotocol/server-everything'),
      filesystem: packaged('@modelcontextprotocol/server-filesystem', [import.meta.dirname]),
      playwright: packaged('@playwright/mcp'),
    },
  });
  servers.start();
  await servers.settled({ deadlineMs: 60_000 });
  const views = ['everything', 'filesystem', 'playwright'].map((name) => servers.trust.view(name));
  expect(views.map(({ tools }) => tools.length > 10)).toEqual([true, true, true]);
  const texts = views.flatMap(({ tools, instructions }) => [...tools, ...(instructions ? [instructions] : [])]);
  expect(texts.flatMap(({ flags }) => flags)).toEqual([]);
}, 90_000);
