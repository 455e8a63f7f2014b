import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { CausewayError, describeError } from '../../../../src-shared/index.ts';

/** What a bundle may hold at most; real ones stay far below. */
export interface UnpackLimits {
  files: number;
  /** All files together, unpacked, in bytes. */
  bytes: number;
  manifestBytes: number;
}
export const UNPACK_LIMITS: UnpackLimits = { files: 30_000, bytes: 1024 ** 3, manifestBytes: 1024 ** 2 };

/** What stands in a bundle, before anything is unpacked. */
export interface BundleContent {
  manifest: string;
  files: number;
  bytes: number;
}

/** @throws CausewayError `bad_input` for what is no bundle, holds a path that leads out of it, a link, or too much. */
export async function inspectBundle(file: string, limits: UnpackLimits = UNPACK_LIMITS): Promise<BundleContent> {
  let manifest: string | undefined;
  const totals = await eachEntry(file, limits, async (entry, zip) => {
    if (entry.fileName !== 'manifest.json') return;
    if (entry.uncompressedSize > limits.manifestBytes) throw refuse('its manifest.json is too large');
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(Buffer.from(chunk));
    manifest = Buffer.concat(chunks).toString('utf8');
  });
  if (manifest === undefined) throw refuse('it has no manifest.json');
  return { ...totals, manifest };
}

/** Unpacks into an empty folder. @throws CausewayError as {@link inspectBundle}; what was written so far stays then. */
export async function unpackBundle(file: string, folder: string, limits: UnpackLimits = UNPACK_LIMITS): Promise<void> {
  let left = limits.bytes;
  await eachEntry(file, limits, async (entry, zip) => {
    const target = path.join(folder, entry.fileName);
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    // What an entry really holds counts, not what it says.
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        left -= chunk.length;
        done(left < 0 ? refuse('it is too large when unpacked') : null, chunk);
      },
    });
    const mode = (modeOf(entry) & 0o111) !== 0 ? 0o755 : 0o644;
    await pipeline(await zip.openReadStreamPromise(entry), counted, createWriteStream(target, { flags: 'wx', mode }));
  });
}

/** Every file of a bundle, checked; folders come by themselves. */
async function eachEntry(
  file: string,
  limits: UnpackLimits,
  use: (entry: Entry, zip: ZipFile) => Promise<void>,
): Promise<{ files: number; bytes: number }> {
  const seen = new Set<string>();
  let bytes = 0;
  try {
    // It refuses absolute paths, "..", backslashes and sizes that are not what the file says.
    const zip = await openPromise(file, { lazyEntries: true, strictFileNames: true });
    try {
      for await (const entry of zip.eachEntry()) {
        if (entry.fileName.endsWith('/')) continue;
        check(entry, seen);
        bytes += entry.uncompressedSize;
        if (seen.size > limits.files) throw refuse(`it holds more than ${limits.files} files`);
        if (bytes > limits.bytes) throw refuse('it is too large when unpacked');
        await use(entry, zip);
      }
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof CausewayError) throw error;
    throw refuse(`it is damaged, or no bundle (${describeError(error)})`, error);
  }
  return { files: seen.size, bytes };
}

function check(entry: Entry, seen: Set<string>): void {
  const { fileName } = entry;
  const type = modeOf(entry) & 0o170000;
  if (type !== 0 && type !== 0o100000) throw refuse(`"${fileName}" in it is a link or a device`);
  if (entry.isEncrypted()) throw refuse(`"${fileName}" in it is encrypted`);
  const bad = fileName.split('/').some((part) => part === '' || part === '.' || part === '..' || part.includes(':'));
  if (bad || fileName.includes('\0') || path.isAbsolute(fileName)) throw refuse(`"${fileName}" in it is no fit path`);
  // On most desktops two names that differ in case are one file.
  const key = fileName.normalize('NFC').toLowerCase();
  if (seen.has(key)) throw refuse(`"${fileName}" stands in it twice`);
  seen.add(key);
}

/** The file mode of Unix, in the upper half of the external attributes; 0 when the archive has none. */
function modeOf(entry: Entry): number {
  return entry.externalFileAttributes >>> 16;
}

function refuse(why: string, cause?: unknown): CausewayError {
  return new CausewayError('bad_input', `This bundle can not be used: ${why}.`, {
    ...(cause !== undefined && { cause }),
  });
}
