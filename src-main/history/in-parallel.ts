/** Files that are worked on at the same time. */
const AT_ONCE = 16;

/** Works on all items, a few at a time. Rejects with the first failure. */
export async function inParallel<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]();
  async function worker(): Promise<void> {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value);
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
