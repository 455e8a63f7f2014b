import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PNG } from 'pngjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumPath } from '../../fixtures/environment.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { call, openServers, packaged, viewOf } from './setup.ts';

const PAGE = '<!doctype html><title>Blue</title><body style="margin:0;background:rgb(0,0,255)"></body>';

async function bluePage(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(PAGE);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe.skipIf(!chromiumPath)('Playwright MCP with an installed Chromium (needs chromium)', () => {
  it('gives a real screenshot: a PNG of the window’s size, in the page’s colour', async () => {
    const { servers } = openServers();
    const view = await servers.attach(
      'browser',
      packaged('@playwright/mcp', [
        ...['--headless', '--no-sandbox', '--isolated', '--viewport-size', '640x480'],
        ...['--executable-path', chromiumPath ?? '', '--output-dir', temporaryFolder()],
      ]),
    );
    expect(view.state).toBe('ready');
    await call(servers, 'browser_navigate', { url: await bluePage() });
    const shot = await call(servers, 'browser_take_screenshot', { type: 'png' });
    const image = shot.content.find((part) => part.type === 'image');
    expect(image).toMatchObject({ mimeType: 'image/png' });
    const png = PNG.sync.read(Buffer.from(image?.data ?? '', 'base64'));
    expect({ width: png.width, height: png.height }).toEqual({ width: 640, height: 480 });
    const middle = (240 * 640 + 320) * 4;
    expect([...png.data.subarray(middle, middle + 4)]).toEqual([0, 0, 255, 255]);
    await servers.remove('browser');
    expect(() => viewOf(servers, 'browser')).toThrow();
  });
});
