/** Calls `work` when the window has nothing better to do, but soon. Gives the way to call it off. */
export function whenIdle(work: () => void): () => void {
  // Not every browser that shows the window has idle callbacks.
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(work, 16);
    return () => clearTimeout(timer);
  }
  const handle = window.requestIdleCallback(work, { timeout: 100 });
  return () => window.cancelIdleCallback(handle);
}
