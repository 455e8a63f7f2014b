/** Listeners of one kind of event. A listener that throws stops neither the others nor the emitter. */
export interface Emitter<T> {
  on(listener: (value: T) => void): Disposable;
  emit(value: T): void;
}

export function createEmitter<T>(onError: (error: unknown) => void = reportLater): Emitter<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    on(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    emit(value) {
      for (const listener of [...listeners]) {
        try {
          listener(value);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}

/** A fault in a listener is a bug: it surfaces as an uncaught exception, after the emitter's work is done. */
function reportLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
