import { describe, expect, it } from 'vitest';
import { describeTarget } from '../../../src-main/mcp/client/target.ts';
import { serverConfig } from '../../../src-shared/index.ts';

function shown(config: unknown): string {
  return describeTarget(serverConfig.parse(config));
}

describe('the target of a server, as people see it', () => {
  it('is the whole command line, quoted where needed', () => {
    expect(shown({ command: 'npx', args: ['-y', '@scope/server@1.2', '/a b', ''] })).toBe(
      'npx -y @scope/server@1.2 "/a b" ""',
    );
  });

  it.each([
    [['--api-key=abc'], '--api-key=***'],
    [['--api-key', 'abc'], '--api-key ***'],
    [['TOKEN=abc'], 'TOKEN=***'],
    [['sk-0123456789'], '***'],
    [['--header', 'Bearer abc'], '--header ***'],
    [['--token', '${env:TOKEN}'], '--token ${env:TOKEN}'],
    [['--key-file', '/home/me/key.pem'], '--key-file /home/me/key.pem'],
    [['--token', '--verbose'], '--token --verbose'],
  ])('shows no secret among the arguments %j', (args, expected) => {
    expect(shown({ command: 'x', args })).toBe(`x ${expected}`);
  });

  it.each([
    ['https://me:abc@example.org/mcp', 'https://me:***@example.org/mcp'],
    ['https://example.org/mcp?api_key=abc&page=1', 'https://example.org/mcp?api_key=***&page=1'],
    ['https://example.org/mcp?token=${env:T}', 'https://example.org/mcp?token=${env:T}'],
  ])('shows no secret of the URL %s', (url, expected) => {
    expect(shown({ url, headers: { Authorization: 'Bearer abc' } })).toBe(expected);
  });
});
