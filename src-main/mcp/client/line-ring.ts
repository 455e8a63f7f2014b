/** The last lines of a stream. */
export interface LineRing {
  push(line: string): void;
  /** Oldest first. */
  lines(): string[];
  clear(): void;
}

/** Keeps the last `capacity` lines. */
export function createLineRing(capacity: number): LineRing {
  let lines: string[] = [];
  return {
    push(line) {
      lines.push(line);
      // Cut rarely, by half, instead of shifting the whole array for each line of a chatty server.
      if (lines.length > capacity * 2) lines = lines.slice(-capacity);
    },
    lines: () => lines.slice(-capacity),
    clear() {
      lines = [];
    },
  };
}
