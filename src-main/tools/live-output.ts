/** How often live text goes to the log while a tool is busy, in milliseconds. */
const INTERVAL_MS = 80;
/** Live text of one call that the log keeps, in characters; the result and the whole output are kept elsewhere. */
const CAP = 256 * 1024;

/** Live text on its way to the event log: gathered for a moment, so that a flood becomes few events, and capped. */
export interface LiveOutput extends Disposable {
  write(text: string): void;
  flush(): void;
}

/** `emit` gets the gathered text. No timer runs while nothing is written. */
export function createLiveOutput(emit: (text: string) => void): LiveOutput {
  let gathered = '';
  let emitted = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!gathered) return;
    const text = gathered;
    gathered = '';
    emitted += text.length;
    emit(text);
  }

  return {
    write(text) {
      const room = CAP - emitted - gathered.length;
      if (room <= 0) return;
      gathered +=
        text.length > room ? `${text.slice(0, room)}\n… live output ends here; the result holds the rest …\n` : text;
      timer ??= setTimeout(flush, INTERVAL_MS);
    },
    flush,
    [Symbol.dispose]: flush,
  };
}
