import type { FetchLike } from '@modelcontextprotocol/client';
import { CausewayError } from '../../../../src-shared/index.ts';
import { checkAddress } from './addresses.ts';

/** No metadata document or token answer is longer, in bytes. */
const MOST_BYTES = 1024 * 1024;

/**
 * Fetches what signing in needs, from addresses that the server chose: each is checked, no redirect is followed by itself,
 * answers are bounded in time and size, and nothing of the config entry (its headers) goes along. After one refusal, or one
 * answer that did not come, everything is refused, since the SDK takes a failed request for a missing document and goes on.
 */
export function createCarefulFetch(
  server: URL,
  { answerMs, signal }: { answerMs: number; signal?: AbortSignal | undefined },
): FetchLike {
  let refusal: CausewayError | undefined;
  return async (address, init) => {
    if (refusal) throw refusal;
    const deadline = AbortSignal.timeout(answerMs);
    try {
      checkAddress(address, server);
      const given = signal ? AbortSignal.any([deadline, signal]) : deadline;
      const response = await fetch(address, { ...init, redirect: 'manual', signal: given });
      return await bounded(response);
    } catch (error) {
      const seconds = Math.round(answerMs / 1000);
      const cause = deadline.aborted
        ? new CausewayError('timeout', `Its authorization server did not answer within ${seconds} seconds.`)
        : error;
      if (cause instanceof CausewayError) refusal = cause;
      throw cause;
    }
  };
}

async function bounded(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new CausewayError('protocol', 'An answer of the authorization server is too long.');
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  const mayHaveBody = status !== 204 && status !== 205 && status !== 304;
  return new Response(mayHaveBody ? Buffer.concat(chunks) : null, { status, statusText, headers });
}
