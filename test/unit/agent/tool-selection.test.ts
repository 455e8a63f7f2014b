import { describe, expect, it } from 'vitest';
import { createToolSelection } from '../../../src-main/agent/tool-selection.ts';
import type { Tool } from '../../../src-main/tools/index.ts';
import { success, tokensOfTool } from '../../../src-shared/index.ts';

const attached = (server: string, name: string): Tool => ({
  name: `mcp_${server}_${name}`,
  description: 'Does one of the many things that this server can do.',
  inputSchema: { type: 'object', properties: {} },
  origin: { kind: 'server', server, originalName: name },
  execute: () => Promise.resolve(success('')),
});
const builtin = (name: string): Tool => ({ ...attached('', name), name, origin: { kind: 'builtin' } });

const own = [builtin('bash'), builtin('find_tools')];
const big = Array.from({ length: 10 }, (_, index) => attached('big', `t${index}`));
const small = [attached('small', 'a'), attached('small', 'b')];
const cost = (tools: readonly Tool[]): number => tools.reduce((sum, tool) => sum + tokensOfTool(tool), 0);
const names = (tools: readonly Tool[]): string[] => tools.map(({ name }) => name);

const select = (tools: readonly Tool[], limitTokens: number, recent: string[] = []) =>
  createToolSelection({ source: { tools: () => tools }, limitTokens, recent });

describe('the tools a model is shown', () => {
  it('are all, and no search, while their definitions fit', () => {
    const selection = select([...own, ...big, ...small], cost([...big, ...small]));
    expect(selection.searching).toBe(false);
    expect(names(selection.tools())).toEqual(['bash', ...names([...big, ...small])]);
  });

  it('are Causeway’s own and a search that names what is not listed, when they do not', () => {
    const selection = select([...own, ...big, ...small], cost(small));
    expect(names(selection.tools())).toEqual(['bash', 'find_tools']);
    expect(selection.tools()[1]?.description).toContain('by server: "big" (10), "small" (2).');
  });

  it('include those of the servers used last, as far as they fit whole', () => {
    const selection = select([...own, ...big, ...small], cost(small), ['big', 'small']);
    expect(names(selection.tools())).toEqual(['bash', 'find_tools', ...names(small)]);
    expect(selection.tools()[1]?.description).toContain('by server: "big" (10).');
  });

  it('include what was found, in another list than before', () => {
    const selection = select([...own, ...big], 0);
    const before = selection.tools();
    expect(selection.tools()).toBe(before);
    selection.add(['mcp_big_t3', 'unknown']);
    expect(names(selection.tools())).toEqual(['bash', 'find_tools', 'mcp_big_t3']);
  });

  it('are all where nothing can search', () => {
    expect(names(select([builtin('bash'), ...big], 0).tools())).toEqual(['bash', ...names(big)]);
  });
});
