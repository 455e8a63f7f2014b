/**
 * The least MCP server there can be (2025-11-25, one tool that gives its text back), as a script for `node -e`: its own cost is next to
 * nothing, so that benchmarks measure the way to it.
 */
const ANSWERS = `
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
const answer = ({ id, method, params }) => {
  const known = methods[method];
  const error = { code: -32601, message: 'Method not found' };
  return JSON.stringify({ jsonrpc: '2.0', id, ...(known ? { result: known(params) } : { error }) });
};
`;

/** The one over stdio, to be kept in a file. */
export const echoScript = `${ANSWERS}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.id !== undefined) process.stdout.write(answer(message) + '\\n');
}).on('close', () => process.exit(0));
`;

/** Prints its port; ends with its stdin. */
const HTTP = `${ANSWERS}
const server = require('node:http').createServer((request, response) => {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  let body = '';
  request.setEncoding('utf8').on('data', (text) => (body += text)).on('end', () => {
    const message = JSON.parse(body);
    if (message.id === undefined) return void response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer(message));
  });
}).listen(0, '127.0.0.1', () => process.stdout.write(server.address().port + '\\n'));
process.stdin.resume().on('end', () => process.exit(0));
`;

/** How to start it over stdio. */
export const echoServer = { command: process.execPath, args: ['-e', echoScript] };
/** How to start it over HTTP. */
export const httpEchoServer = { command: process.execPath, args: ['-e', HTTP] };
