import { randomBytes } from 'node:crypto';
import path from 'node:path';

/** How far a temporary file has come: still being filled, or complete and about to be copied over the file in place. */
export type TemporaryStage = 'filling' | 'complete';

const SUFFIX: Readonly<Record<TemporaryStage, string>> = { filling: '.causeway-tmp', complete: '.causeway-new' };

/** The longest name that file systems in use take, in bytes (NAME_MAX). */
const MAX_NAME_BYTES = 255;

/** A hidden name beside the file, so that rename stays in one file system and nobody takes it for a result. */
export function temporaryPath(file: string): string {
  return path.join(path.dirname(file), prefix(file) + randomBytes(6).toString('hex') + SUFFIX.filling);
}

/** The same temporary file's name at the next stage. */
export function completePath(temporary: string): string {
  return temporary.slice(0, -SUFFIX.filling.length) + SUFFIX.complete;
}

/** What stage an entry of the file's folder is at, when it is one of the file's temporary files. */
export function stageOf(name: string, file: string): TemporaryStage | undefined {
  const start = prefix(file);
  if (!name.startsWith(start)) return undefined;
  const [, suffix] = /^[0-9a-f]{12}(\..+)$/.exec(name.slice(start.length)) ?? [];
  if (suffix === SUFFIX.filling) return 'filling';
  return suffix === SUFFIX.complete ? 'complete' : undefined;
}

function prefix(file: string): string {
  let base = path.basename(file);
  const room = MAX_NAME_BYTES - 2 - 12 - SUFFIX.filling.length;
  while (Buffer.byteLength(base) > room) base = base.slice(0, -1);
  return `.${base}.`;
}
