import { CausewayError } from '../../../src-shared/index.ts';

const MEGABYTE = 1024 * 1024;
/** Of one answer on the wire. The longest that today's models give, at some 300 bytes a token, are about half of it. */
const MOST_BYTES = 64 * MEGABYTE;

/** `fetch` whose answers end with an error when they are endless: nothing an endpoint says may fill the memory. */
export async function limitedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  if (!response.body) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes <= MOST_BYTES) controller.enqueue(chunk);
        else controller.error(tooLong());
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
}

function tooLong(): CausewayError {
  return new CausewayError(
    'protocol',
    `The model's answer did not end after ${MOST_BYTES / MEGABYTE} MB, so Causeway stopped listening.`,
    { hint: 'Try again, or choose another model in Settings.' },
  );
}
