import { lstatSync, statSync, type BigIntStats, type Stats } from 'node:fs';

/**
 * What the system says where there is nothing: no such entry, a path that goes on below a file, links that lead in a circle, a
 * name longer than any can be. Node's own `throwIfNoEntry` covers the first only.
 */
const NOTHING_THERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/** What a path leads to; undefined when it leads nowhere. @throws the system's error for what can't be looked at. */
export function statIfThere(file: string): Stats | undefined {
  return ifThere(() => statSync(file));
}

/** What is at a path itself, a symlink not followed; undefined when nothing is. @throws as {@link statIfThere}. */
export function lstatIfThere(file: string): BigIntStats | undefined {
  return ifThere(() => lstatSync(file, { bigint: true }));
}

function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOTHING_THERE.has(String(error.code))) return undefined;
    throw error;
  }
}
