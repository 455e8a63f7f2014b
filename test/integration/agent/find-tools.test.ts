import { expect, test } from 'vitest';
import { openAgentBench } from '../../fixtures/agent.ts';
import { echo } from '../../fixtures/tools.ts';

/** Two servers whose definitions take more than 5 % of a model's window. */
const many = ['github', 'calendar'].flatMap((server) =>
  Array.from({ length: 60 }, (_, index) => ({
    ...echo,
    name: `mcp_${server}_action_${index}`,
    title: `Action ${index}`,
    description: `${index === 7 ? 'Creates an issue.' : 'Does something else.'} ${'It takes a while to say how. '.repeat(20)}`,
    origin: { kind: 'server' as const, server, originalName: `action_${index}` },
  })),
);
const search = { calls: [{ name: 'find_tools', arguments: { query: 'create issue github', limit: 1 } }] };
const use = { calls: [{ name: 'mcp_github_action_7', arguments: { command: 'x' } }] };
const done = { text: 'All done.' };

test('of too many tools a model is shown a search, and from the next step on what it found', async () => {
  const bench = await openAgentBench({ tools: many, replies: [search, use, done] });
  expect(await bench.run()).toMatchObject({ outcome: 'done' });
  const offered = await Promise.all(
    [0, 1].map(async (index) => {
      const { tools = [] } = (await bench.server.request(index)).request;
      return tools.map((tool) => tool.function.name);
    }),
  );
  expect(offered[0]).toEqual(['ask_human', 'find_tools', 'terminate']);
  expect(offered[1]).toEqual(['mcp_github_action_7', 'ask_human', 'find_tools', 'terminate']);
  const [found] = bench.eventsOf('tool.ended');
  expect(found?.result.content).toMatchObject([
    {
      text: expect.stringMatching(
        /^One tool found.*\n- mcp_github_action_7 \[server "github"\]: Creates an issue\./,
      ) as string,
    },
  ]);
  // What was used once is there at once when the conversation goes on.
  await bench.run('And again.');
  const last = (await bench.server.request(3)).request.tools?.map((tool) => tool.function.name);
  expect(last).toContain('mcp_github_action_7');
});

test('a tool that is not listed runs all the same when the model knows its name', async () => {
  const bench = await openAgentBench({ tools: many, replies: [use, done] });
  expect(await bench.run()).toMatchObject({ outcome: 'done' });
  expect(bench.eventsOf('tool.ended')[0]?.result.isError).toBe(false);
});
