import type { BlobStore } from '../store/index.ts';
import { CausewayError } from '../../src-shared/index.ts';
import { safeMediaType } from './media.ts';

const BLOB_PATH = /^\/blob\/([0-9a-f]{64})$/;

/** A whole answer, for whatever carries it. */
export interface BlobAnswer {
  status: 200 | 404;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Answers `/blob/<sha256>?type=image/png`; undefined for any other address. */
export function answerBlob(url: URL, blobs: BlobStore): BlobAnswer | undefined {
  const sha256 = BLOB_PATH.exec(url.pathname)?.[1];
  if (sha256 === undefined) return undefined;
  try {
    return {
      status: 200,
      headers: {
        'Content-Type': safeMediaType(url.searchParams.get('type')),
        'X-Content-Type-Options': 'nosniff',
        // Named by content, so it never changes.
        'Cache-Control': 'private, max-age=31536000, immutable',
        // Should somebody open it as a page of its own: no scripts, whatever it holds. Drawings have styles in them.
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      },
      body: blobs.read(sha256),
    };
  } catch (error) {
    if (!(error instanceof CausewayError) || error.code !== 'not_found') throw error;
    return { status: 404, headers: { 'Content-Type': 'text/plain' }, body: Buffer.from('There is no such blob.\n') };
  }
}
