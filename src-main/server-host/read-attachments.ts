import type { Attachment, AttachmentRef } from '../../src-shared/index.ts';
import type { Servers } from '../mcp/client/index.ts';
import type { BlobStore } from '../store/index.ts';

/** How long reading all of them may take, in milliseconds. */
const READ_MS = 60_000;

/**
 * What the person sends with a message, as it is now: the log keeps that, whatever the server says later.
 * @throws CausewayError when one can not be read; nothing is sent then.
 */
export function readAttachments(
  refs: readonly AttachmentRef[],
  { servers, blobs }: { servers: Servers; blobs: BlobStore },
): Promise<Attachment[]> {
  const signal = AbortSignal.timeout(READ_MS);
  return Promise.all(
    refs.map(async (ref) => {
      const content = await servers.beside.read(ref.server, ref.uri, signal);
      return { ...ref, content: blobs.storeResult({ content, isError: false }).content };
    }),
  );
}
