import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** A private file whose content is replaced again and again. */
export interface RewrittenFile extends Disposable {
  readonly path: string;
  /** Whoever opens the file afterwards reads this and nothing else. */
  write(text: string): void;
}

/**
 * Creates the file (0600). It stays open, because opening with truncation and closing costs up to a millisecond on ext4: that
 * takes it for a careless replacement of a document and allocates at once (ext4(5), auto_da_alloc).
 */
export function createRewrittenFile(path: string): RewrittenFile {
  const fd = openSync(path, 'wx', 0o600);
  return {
    path,
    write(text) {
      const bytes = Buffer.from(text);
      let written = 0;
      while (written < bytes.length) written += writeSync(fd, bytes, written, bytes.length - written, written);
      ftruncateSync(fd, bytes.length);
    },
    [Symbol.dispose]: () => closeSync(fd),
  };
}
