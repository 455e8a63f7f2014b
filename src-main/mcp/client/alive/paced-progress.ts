import type { OutputSink } from '../../../tools/index.ts';

/** Reports of progress that go on, at most one in this many milliseconds; between them the newest counts. */
const EVERY_MS = 100;

type Progress = Parameters<OutputSink['progress']>[0];

/** Passes progress on at a pace that a log and a window can follow, whatever a server sends. Dispose when the call has ended. */
export function paceProgress(pass: (progress: Progress) => void): Disposable & { progress(progress: Progress): void } {
  let timer: NodeJS.Timeout | undefined;
  let newest: Progress | undefined;
  function go(): void {
    timer = undefined;
    if (newest === undefined) return;
    pass(newest);
    newest = undefined;
    timer = setTimeout(go, EVERY_MS);
  }
  return {
    progress(progress) {
      newest = progress;
      if (!timer) go();
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      newest = undefined;
    },
  };
}
