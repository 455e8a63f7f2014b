import { readFile } from 'node:fs/promises';
import { protocol } from 'electron';
import type { BlobStore } from '../../store/index.ts';
import { answerBlob } from '../blob-request.ts';
import { listRendererFiles } from '../renderer-files.ts';
import { securityHeaders } from '../security-headers.ts';
import { answerFrame } from '../view-frame.ts';
import { ORIGIN, VIEW_ORIGIN } from './bridge.ts';

const SCHEME = 'causeway';

/** Must run before Electron is ready. The scheme is a real origin of its own: no file access, no mixing with web pages. */
export function claimScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built window and stored media at `causeway://app/`, and the frame of views at `causeway://view/`. @throws CausewayError when the window is not built. */
export function serveWindow({ rendererFolder, blobs }: { rendererFolder: string; blobs: BlobStore }): void {
  const files = listRendererFiles(rendererFolder);
  protocol.handle(SCHEME, async ({ url, method }) => {
    const address = new URL(url);
    if (method !== 'GET') return new Response(null, { status: 405 });
    if (address.host === 'view') {
      const { status, headers, body } = await answerFrame(address, { files, window: ORIGIN });
      return new Response(body, { status, headers });
    }
    if (address.host !== 'app') return new Response(null, { status: 403 });
    const blob = answerBlob(address, blobs);
    if (blob) return new Response(Uint8Array.from(blob.body), { status: blob.status, headers: blob.headers });
    const file = files.get(address.pathname);
    if (!file) return new Response(null, { status: 404 });
    const headers = { ...securityHeaders({ frames: VIEW_ORIGIN }), 'Content-Type': file.type };
    return new Response(await readFile(file.file), { headers });
  });
}
