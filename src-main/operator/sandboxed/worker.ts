import { Socket } from 'node:net';
import { CausewayError, describeError } from '../../../src-shared/index.ts';
import { createFrameReader, frameOf } from './frames.ts';
import { entryReallyAt, mountedPlaces } from './identity.ts';
import { writableOutside } from './mounts.ts';
import { CONTROL_FD, isRequest, isWorkerOptions } from './protocol.ts';
import { createFileService } from './serve.ts';

/*
 * The program that runs in the sandbox and does what a FileOperator is asked for there. Bundled into one file, so that the sandbox
 * needs to show nothing but Node.
 */

const options: unknown = JSON.parse(process.argv[2] ?? '');
if (!isWorkerOptions(options)) throw new Error('The file worker is started by Causeway, not by hand.');
const astray = writableOutside(options.workspace);
if (astray.length > 0) throw new Error(`The sandbox lets ${astray.join(', ')} be written.`);
const serve = createFileService(options);
const control = new Socket({ fd: CONTROL_FD, readable: true, writable: true });

function say(message: unknown, payload: readonly Uint8Array[] = []): void {
  control.cork();
  for (const piece of frameOf(message, payload)) control.write(piece);
  control.uncork();
}

async function hear(message: unknown, bytes: Uint8Array): Promise<void> {
  if (!isRequest(message)) return process.exit(1);
  const { id, call } = message;
  try {
    const { value, payload } = await serve(call, bytes);
    say({ id, value: value ?? null }, payload ? [payload] : []);
  } catch (error) {
    const { code, hint } = error instanceof CausewayError ? error : { code: 'internal', hint: undefined };
    say({ id, error: { code, message: sentence(error), hint } });
  }
}

function sentence(error: unknown): string {
  return error instanceof CausewayError ? error.message : describeError(error);
}

control.on(
  'data',
  createFrameReader(
    ({ message, payload }) => void hear(message, payload),
    () => process.exit(1),
  ),
);
// Whoever started this is gone.
control.on('end', () => process.exit(0));
control.on('error', () => process.exit(1));
say({ sees: mountedPlaces(options.workspace, options.protectedEntries).map((place) => entryReallyAt(place) ?? null) });
