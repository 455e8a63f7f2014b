import { describe, expect, it } from 'vitest';
import { rankTools } from '../../../src-main/tools/find-tools/rank.ts';
import type { ToolDefinition } from '../../../src-shared/index.ts';

const tool = (server: string, originalName: string, description: string, ...fields: string[]): ToolDefinition => ({
  name: `mcp_${server}_${originalName}`,
  description,
  inputSchema: { type: 'object', properties: Object.fromEntries(fields.map((field) => [field, {}])) },
  origin: { kind: 'server', server, originalName },
});
const tools = [
  tool('github', 'createIssue', 'Creates a new issue in a repository.', 'repo', 'title'),
  tool('github', 'list_pull_requests', 'Lists the pull requests of a repository.', 'repo'),
  tool('calendar', 'list_events', 'Lists appointments of a day.', 'day'),
  tool('weather', 'forecast', 'Tells whether it will rain.', 'city'),
  tool('shop', '查询订单', '查询一个订单的状态。', 'order'),
];
const found = (query: string): (string | undefined)[] => rankTools(tools, query).map(({ name }) => name);

describe('a search among tools', () => {
  it.each([
    ['create an issue', 'mcp_github_createIssue'],
    ['pull request', 'mcp_github_list_pull_requests'],
    ['calendar', 'mcp_calendar_list_events'],
    ['appointment', 'mcp_calendar_list_events'],
    ['rain in a city', 'mcp_weather_forecast'],
    ['订单状态', 'mcp_shop_查询订单'],
    ['mcp_calendar_list_events', 'mcp_calendar_list_events'],
  ])('for %j finds the one that is meant first', (query, name) => {
    expect(found(query)[0]).toBe(name);
  });

  it('gives nothing for words that nowhere stand', () => {
    expect(found('xylophone')).toEqual([]);
  });
});
