import { createGatherer } from '../platform/index.ts';

/** How often live text goes to the log while a tool is busy, in milliseconds. */
const INTERVAL_MS = 80;
/** Live text of one call that the log keeps, in characters; the result and the whole output are kept elsewhere. */
const CAP = 256 * 1024;

/** Live text on its way to the event log: gathered for a moment, so that a flood becomes few events, and capped. */
export function createLiveOutput(emit: (text: string) => void): { write(text: string): void } & Disposable {
  const gatherer = createGatherer(INTERVAL_MS, emit);
  let room = CAP;
  return {
    write(text) {
      if (room <= 0) return;
      const cut =
        text.length > room ? `${text.slice(0, room)}\n… live output ends here; the result holds the rest …\n` : text;
      room -= text.length;
      gatherer.write(cut);
    },
    [Symbol.dispose]: () => gatherer[Symbol.dispose](),
  };
}
