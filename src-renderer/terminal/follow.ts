import { MOST_TYPED, type OpenTerminal } from '../../src-shared/index.ts';
import type { Rpc } from '../rpc/client.ts';
import type { Emulator } from './emulator.ts';

/** Shows what an open terminal writes until its command ends or the signal ends the looking. @throws CausewayError */
export async function followTerminal(
  rpc: Rpc,
  { terminalId, data }: Pick<OpenTerminal, 'terminalId' | 'data'>,
  emulator: Emulator,
  { signal, ondraw }: { signal: AbortSignal; ondraw: () => void },
): Promise<void> {
  await emulator.restart(fromBase64(data));
  while (!signal.aborted) {
    const chunk = await rpc.call('terminal.read', { terminalId });
    if (signal.aborted) return;
    const bytes = fromBase64(chunk.data);
    // The next is asked for once this one is drawn: a flood waits in the core, which drops what nobody could read.
    await (chunk.from === 'start' ? emulator.restart(bytes) : emulator.write(bytes));
    if (chunk.ended) return;
    ondraw();
  }
}

/** Types text, a long paste in pieces and in order. @throws CausewayError `conflict` when the command has ended. */
export async function typeInto(rpc: Rpc, terminalId: string, text: string): Promise<void> {
  for (let at = 0; at < text.length; at += MOST_TYPED) {
    await rpc.call('terminal.write', { terminalId, text: text.slice(at, at + MOST_TYPED) });
  }
}

function fromBase64(data: string): Uint8Array {
  return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
}
