import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { commandLinesWith } from '../../fixtures/processes.ts';
import { openShellBench, sandboxed, textOf, type ShellBench } from '../../fixtures/shell.ts';
import { waitFor } from '../../fixtures/wait.ts';

function open(network: string[]): Promise<ShellBench> {
  return openShellBench({ settings: (defaults) => sandboxed(defaults, { network }) });
}

/** A web server on this machine; gives its port. */
async function serve(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Functions for the shell: a request through the proxy as programs make it, and a tunnel. */
const ASK = String.raw`
ask() {
  exec 3<>/dev/tcp/127.0.0.1/3128
  printf "%s %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" "$1" "$2" >&3
  cat <&3
  exec 3>&-
}`;

describe.skipIf(!hasBubblewrap)('a shell that may reach some hosts (needs bubblewrap)', () => {
  test('reaches those through its proxy, and says which ones in every result', async () => {
    const port = await serve((request, response) => response.end(`reached ${request.url} of ${request.headers.host}`));
    const { run, call } = await open([`127.0.0.1:${port}`]);
    await run(ASK);
    expect(await run(`ask GET http://127.0.0.1:${port}/path?q=1`)).toContain(`reached /path?q=1 of 127.0.0.1:${port}`);
    expect((await call({ command: 'true' })).structuredContent).toMatchObject({
      sandbox: { policy: 'workspace-write', network: [`127.0.0.1:${port}`] },
    });
  });

  test('reaches no other host or port, and is told which one and why', async () => {
    const port = await serve((_request, response) => response.end('reached'));
    const { run, call } = await open(['allowed.example', `127.0.0.2:${port}`]);
    await run(ASK);
    const result = await call({ command: `ask GET http://127.0.0.1:${port}/; ask CONNECT 127.0.0.1:${port}` });
    expect(textOf(result)).toMatch(/^HTTP\/1.1 403[^]*is not among the hosts[^]*HTTP\/1.1 403 Forbidden/);
    expect(textOf(result)).not.toContain('reached');
    expect(result.system).toContain(`refused: 127.0.0.1:${port}`);
    expect((await call({ command: 'true' })).system ?? '').not.toContain('refused');
  });

  test('has no way around the proxy', async () => {
    const port = await serve((_request, response) => response.end('reached'));
    const { run } = await open([`127.0.0.1:${port}`]);
    expect(await run(`exec 4<>/dev/tcp/127.0.0.1/${port}; cat <&4`)).not.toContain('reached');
    expect(await run(`exec 4<>/dev/tcp/192.0.2.1/80`)).toMatch(/unreachable/);
  });

  test('tunnels what is not HTTP, both ways and to the end', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => socket.end(`you said ${bytes.toString()}${'x'.repeat(300_000)}end`));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { run } = await open([`localhost:${port}`]);
    await run(ASK.replace('cat <&3', `sleep 0.2; printf hello >&3; cat <&3 >got`));
    await run(`ask CONNECT localhost:${port}`);
    expect(await run('grep -c "you said" got; tail -c 6 got; wc -c <got')).toMatch(/^1\nxxxend3\d{5}$/);
  });

  test('finds the proxy as programs look for it', async () => {
    const port = await serve((_request, response) => response.end('reached'));
    const { run } = await open([`127.0.0.1:${port}`]);
    const script = `import urllib.request as r; print(r.build_opener(r.ProxyHandler({"http": __import__("os").environ["http_proxy"]})).open("http://127.0.0.1:${port}/").read().decode())`;
    expect(await run(`python3 -c '${script}'`)).toBe('reached');
    expect(await run('echo $HTTPS_PROXY $no_proxy')).toBe('http://127.0.0.1:3128 localhost,::1');
  });

  test('leaves nothing behind: neither outside nor inside', async () => {
    const { run, tool, workspace } = await open(['example.org']);
    expect(await run('jobs; ps -eo args= | grep "[f]orward.mjs" | grep -vc bwrap')).toBe('1');
    expect(commandLinesWith(workspace).length + commandLinesWith('way-out').length).toBeGreaterThan(0);
    await tool.closeSession('session');
    await waitFor(() => commandLinesWith('way-out').length === 0);
  });
});
