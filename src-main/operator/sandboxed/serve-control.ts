import { Socket } from 'node:net';
import { failureOf } from '../calls/failure.ts';
import { createFrameReader, frameOf } from './frames.ts';
import { entryReallyAt, mountedPlaces } from './identity.ts';
import { writableOutside } from './mounts.ts';
import { CONTROL_FD, isRequest, isWorkerOptions } from './protocol.ts';
import { createBoundService } from './serve.ts';

/** Does what a FileOperator is asked for in a sandbox, in a process of its own. */
export function serveControl(options: unknown): void {
  if (!isWorkerOptions(options)) throw new Error('The file worker is started by Causeway, not by hand.');
  const astray = writableOutside(options.workspace);
  if (astray.length > 0) throw new Error(`The sandbox lets ${astray.join(', ')} be written.`);
  const serve = createBoundService(options);
  const control = new Socket({ fd: CONTROL_FD, readable: true, writable: true });

  function say(message: unknown, payload: readonly Uint8Array[] = []): void {
    control.cork();
    for (const piece of frameOf(message, payload)) control.write(piece);
    control.uncork();
  }

  function hear(message: unknown, bytes: Uint8Array): void {
    if (!isRequest(message)) return process.exit(1);
    const { id, call } = message;
    try {
      const { value, payload } = serve(call, [bytes]);
      say({ id, value }, [payload]);
    } catch (error) {
      say({ id, error: failureOf(error) });
    }
  }

  control.on(
    'data',
    createFrameReader(
      ({ message, payload }) => hear(message, payload),
      () => process.exit(1),
    ),
  );
  // Whoever started this is gone.
  control.on('end', () => process.exit(0));
  control.on('error', () => process.exit(1));
  const places = mountedPlaces(options.workspace, options.protectedEntries);
  say({ sees: places.map((place) => entryReallyAt(place) ?? null) });
}
