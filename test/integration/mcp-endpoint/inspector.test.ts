import { describe, expect, it } from 'vitest';
import { PIXEL, testTools } from '../../fixtures/tools.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { httpEndpoint, stdioProgram, testEndpoint, TOKEN } from './clients.ts';
import { callArgs, inspect, inspectResult } from './inspector.ts';

async function target(road: 'stdio' | 'HTTP'): Promise<string[]> {
  if (road === 'stdio') return [stdioProgram.command, ...stdioProgram.args, temporaryFolder()];
  const { url } = await httpEndpoint(testEndpoint());
  return [url, '--header', `Authorization: Bearer ${TOKEN}`];
}

describe.each(['stdio', 'HTTP'] as const)('the MCP Inspector over %s', (road) => {
  it.each(['legacy', 'modern'])('lists the tools in the %s era', async (era) => {
    const result = await inspectResult([...(await target(road)), '--protocol-era', era, '--method', 'tools/list']);
    const names = testTools.slice(0, -1).map(({ name }) => expect.objectContaining({ name }));
    expect(result).toMatchObject({ tools: names });
  });

  it('calls a tool, and gets text, structured content and images', async () => {
    const to = await target(road);
    expect(await inspectResult([...to, ...callArgs('echo', { command: 'true' })])).toMatchObject({
      structuredContent: { input: { command: 'true' } },
    });
    expect(await inspectResult([...to, ...callArgs('parts', {})])).toMatchObject({
      content: expect.arrayContaining([expect.objectContaining({ type: 'image', data: PIXEL })]),
    });
  });
});

describe('the MCP Inspector over HTTP', () => {
  it('is told to authorise when its token is wrong', async () => {
    const { url } = await httpEndpoint(testEndpoint());
    const header = ['--header', 'Authorization: Bearer wrong', '--stored-auth-only'];
    const { code, stderr } = await inspect([url, ...header, '--method', 'tools/list']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('auth_required');
  });
});
