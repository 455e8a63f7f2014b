/** Text that comes in drops, handed on in gulps: at most one every `intervalMs`, and no timer while nothing comes. */
export interface Gatherer extends Disposable {
  write(text: string): void;
  /** Hands on what is gathered, now. */
  flush(): void;
}

/** `emit` gets the gathered text; it is called once more on dispose when something is left. */
export function createGatherer(intervalMs: number, emit: (text: string) => void): Gatherer {
  let gathered = '';
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!gathered) return;
    const text = gathered;
    gathered = '';
    emit(text);
  }

  return {
    write(text) {
      gathered += text;
      timer ??= setTimeout(flush, intervalMs);
    },
    flush,
    [Symbol.dispose]: flush,
  };
}
