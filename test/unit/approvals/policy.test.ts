import { describe, expect, it } from 'vitest';
import type { Caller, ToolDefinition } from '../../../src-shared/index.ts';
import { judge } from '../../../src-main/approvals/policy.ts';

const agent: Caller = { kind: 'agent', runId: 'r1' };
const person: Caller = { kind: 'person' };
const app: Caller = { kind: 'app', id: 'a1', name: 'Some editor' };

function builtin(name: string, readOnlyHint?: boolean): ToolDefinition {
  return {
    name,
    description: '',
    inputSchema: { type: 'object' },
    origin: { kind: 'builtin' },
    ...(readOnlyHint !== undefined && { annotations: { readOnlyHint } }),
  };
}

function attached(readOnlyHint?: boolean): ToolDefinition {
  return { ...builtin('mcp_s_t', readOnlyHint), origin: { kind: 'server', server: 's', originalName: 't' } };
}

describe('the approval policy', () => {
  it('lets nothing outside the workspace pass unasked, whoever calls', () => {
    for (const caller of [agent, person, app]) {
      const opinion = judge({
        mode: 'workspace',
        caller,
        tool: builtin('str_replace_editor'),
        outsidePath: '/etc/passwd',
      });
      expect(opinion).toMatchObject({ ask: true, reason: expect.stringContaining('/etc/passwd') });
    }
  });

  it('lets built-in tools work inside the workspace in workspace mode', () => {
    expect(judge({ mode: 'workspace', caller: agent, tool: builtin('bash') })).toEqual({ ask: false });
  });

  it('asks for built-in tools that change things in ask mode, but not for reading or for asking the person', () => {
    expect(judge({ mode: 'ask', caller: agent, tool: builtin('bash') }).ask).toBe(true);
    expect(judge({ mode: 'ask', caller: agent, tool: builtin('read_output', true) }).ask).toBe(false);
    expect(judge({ mode: 'ask', caller: agent, tool: builtin('ask_human') }).ask).toBe(false);
  });

  it('asks for tools of attached servers that are not said to be read-only', () => {
    expect(judge({ mode: 'workspace', caller: agent, tool: attached() }).ask).toBe(true);
    expect(judge({ mode: 'workspace', caller: app, tool: attached(false) }).ask).toBe(true);
    expect(judge({ mode: 'workspace', caller: agent, tool: attached(true) }).ask).toBe(false);
  });

  it('takes running a tool by hand as the yes', () => {
    expect(judge({ mode: 'ask', caller: person, tool: attached() }).ask).toBe(false);
  });

  it('asks for what a call does beyond its tool, unless the person makes it or nothing asks', () => {
    const special = 'It installs something.';
    const question = { tool: builtin('python_execute'), special };
    expect(judge({ mode: 'workspace', caller: agent, ...question })).toEqual({ ask: true, reason: special });
    expect(judge({ mode: 'ask', caller: app, ...question })).toEqual({ ask: true, reason: special });
    expect(judge({ mode: 'ask', caller: person, ...question })).toEqual({ ask: false });
    expect(judge({ mode: 'full', caller: agent, ...question })).toEqual({ ask: false });
  });

  it('asks nothing in full mode', () => {
    expect(judge({ mode: 'full', caller: app, tool: attached(), outsidePath: '/etc' }).ask).toBe(false);
  });

  it('asks where the person wants to be asked for a tool, in every mode, but not when they run it by hand', () => {
    const question = { tool: attached(true), wanted: { ask: 'You want to be asked.' } };
    const asks = { ask: true, reason: 'You want to be asked.', eachTime: true };
    for (const mode of ['ask', 'workspace', 'full'] as const) {
      expect(judge({ mode, caller: agent, ...question })).toEqual(asks);
      expect(judge({ mode, caller: app, ...question })).toEqual(asks);
      expect(judge({ mode, caller: person, ...question })).toEqual({ ask: false });
    }
  });

  it('does not ask where the person wants a tool to run unasked', () => {
    const question = { tool: attached(), wanted: { unasked: true } as const };
    expect(judge({ mode: 'ask', caller: agent, ...question })).toEqual({ ask: false });
  });
});
