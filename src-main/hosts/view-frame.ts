import { readFile } from 'node:fs/promises';
import { CausewayError, viewDomains, type ViewDomains } from '../../src-shared/index.ts';
import { onlyPublic, viewPolicy } from '../mcp/apps/index.ts';
import type { RendererFile } from './renderer-files.ts';

/** Where the window's build puts the script of the frame. */
const SCRIPT = '/view/frame.js';

/** A whole answer, for whatever carries it. */
export interface FrameAnswer {
  status: 200 | 400 | 404 | 500;
  headers: Record<string, string>;
  body: string;
}

/**
 * Answers for the origin on which views are framed. It holds nothing but one page and its script: the page gets a view's text from
 * the window and shows it in a frame of its own, under the policy that comes with this answer.
 * @param window the origin of the window, the only page that may show the frame.
 */
export async function answerFrame(
  url: URL,
  { files, window }: { files: ReadonlyMap<string, RendererFile>; window: string },
): Promise<FrameAnswer> {
  if (url.pathname === '/frame.js') return sendScript(files.get(SCRIPT));
  if (url.pathname !== '/frame') return plain(404, 'There is no such page.');
  const domains = readDomains(url.searchParams.get('domains'));
  if (!domains) return plain(400, 'This is not how a frame for a view is asked for.');
  return {
    status: 200,
    headers: {
      ...COMMON,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': viewPolicy(domains, window),
    },
    body: framePage(window),
  };
}

const COMMON: Record<string, string> = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy':
    'camera=(), microphone=(), geolocation=(), display-capture=(), clipboard-read=(), clipboard-write=(), usb=(), serial=(), hid=(), bluetooth=(), midi=(), payment=(), fullscreen=(), screen-wake-lock=(), publickey-credentials-get=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
};

/** No text of anybody else is part of it. */
function framePage(window: string): string {
  return `<!doctype html>
<html lang="en" data-window="${window}">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>View</title>
<style>
html, body { height: 100%; margin: 0; overflow: hidden; }
iframe { display: block; width: 100%; height: 100%; border: 0; }
</style>
<script type="module" src="/frame.js"></script>
</head>
<body></body>
</html>
`;
}

/** Looked at again here, so that no address can ask for a looser policy than a resource can. */
function readDomains(json: string | null): ViewDomains | undefined {
  try {
    return onlyPublic(viewDomains.parse(JSON.parse(json ?? '')));
  } catch {
    return undefined;
  }
}

async function sendScript(script: RendererFile | undefined): Promise<FrameAnswer> {
  if (!script) throw new CausewayError('unavailable', 'The window is not built.', { hint: 'Run "npm run build".' });
  return {
    status: 200,
    headers: { ...COMMON, 'Content-Type': script.type },
    body: await readFile(script.file, 'utf8'),
  };
}

function plain(status: FrameAnswer['status'], sentence: string): FrameAnswer {
  return { status, headers: { ...COMMON, 'Content-Type': 'text/plain; charset=utf-8' }, body: `${sentence}\n` };
}
