import type { MessagePort } from 'node:worker_threads';
import { failureOf } from '../calls/failure.ts';
import type { Answer } from '../calls/file-call.ts';
import { createFileService } from '../calls/service.ts';
import { isShared, movable, type PlainFile, type ThreadAnswer, type ThreadRequest } from './messages.ts';

/** Does what a FileOperator is asked for in a thread that has nothing else to do: each call in one go. */
export function serveThread(port: MessagePort): void {
  // Which thread writes a file next is open: what is known of the file comes with the call, and goes back with the answer.
  let plain: PlainFile | undefined;
  const serve = createFileService({
    get: (file) => (plain?.[0] === file ? plain[1] : undefined),
    set: (file, state) => (plain = [file, state]),
  });

  function answer({ id, call, payload }: ThreadRequest): ThreadAnswer {
    try {
      const { value, payload: given } = serve(call, payload);
      return { id, value, plain, ...(given.length > 0 && { payload: alone(given) }) };
    } catch (error) {
      return { id, failure: failureOf(error), plain };
    }
  }

  port.on('message', (request: ThreadRequest) => {
    ({ plain } = request);
    const message = answer(request);
    port.postMessage(message, message.payload ? movable([message.payload]) : []);
  });
}

/** Bytes without those that lie in the same memory. */
function alone(bytes: Answer['payload']): Uint8Array {
  return isShared(bytes) || bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}
