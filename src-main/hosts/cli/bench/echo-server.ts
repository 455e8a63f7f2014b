/**
 * The least MCP server there can be (2025-11-25, stdio, one tool that gives its text back), as a script for `node -e`: its own
 * cost is next to nothing, so that benchmarks measure the way to it.
 */
const SCRIPT = `
const tool = {
  name: 'echo',
  description: 'Gives the text back.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: true },
};
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'bench-echo', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': (params) => ({ content: [{ type: 'text', text: params.arguments.text }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = methods[method];
  const error = { code: -32601, message: 'Method not found' };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...(answer ? { result: answer(params) } : { error }) }) + '\\n');
}).on('close', () => process.exit(0));
`;

/** How to start it. */
export const echoServer = { command: process.execPath, args: ['-e', SCRIPT] };
