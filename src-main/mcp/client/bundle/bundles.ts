import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  CausewayError,
  type BundleValues,
  type BundleView,
  type ServerView,
  type StdioServerConfig,
} from '../../../../src-shared/index.ts';
import type { Servers } from '../contract.ts';
import { describeValues } from '../secrets.ts';
import { describeTarget } from '../target.ts';
import { configure, launchOf, resolvePlaces, type BundlePlaces } from './configure.ts';
import { fieldsOf, readManifest, type Manifest } from './manifest.ts';
import { inspectBundle, unpackBundle } from './unpack.ts';

/** The largest bundle that is taken, packed, in bytes. */
const LARGEST = 512 * 1024 ** 2;
/** A folder that no entry names is somebody's half-done work for this long, in milliseconds. */
const YOUNG_MS = 60 * 60 * 1000;

export interface BundleParts {
  servers: Servers;
  /** The config file, which says what is still used. */
  configPath: string;
  /** Where bundles are unpacked. */
  folder: string;
  home: string;
  nodePath: string;
  /** Keeps a sensitive value, to be had again as `${input:id}`. */
  keepSecret(id: string, value: string): void;
}

/** Servers that come as a bundle: looked at, then unpacked into the data folder and added. */
export interface Bundles {
  /** Takes a part of a file from a window. @throws CausewayError `bad_input` when it is too large. */
  receive(part: { upload?: string | undefined; data: Buffer }): Promise<string>;
  /** The file of an upload. @throws CausewayError `not_found`. */
  uploaded(upload: string): string;
  /** What is in a bundle, and what would run; nothing of it is kept. @throws CausewayError `bad_input`. */
  look(file: string): Promise<BundleView>;
  /** Unpacks it, keeps sensitive values as secrets, and starts it. @throws CausewayError. */
  add(file: string, name: string, values: BundleValues): Promise<ServerView>;
  /** Removes what is left of bundles that are no longer in the config, and of uploads. Never rejects. */
  sweep(): Promise<void>;
}

export function createBundles(parts: BundleParts): Bundles {
  const { servers, folder } = parts;
  const uploads = path.join(folder, '.uploads');

  function placesFor(manifest: Manifest, hash: string): BundlePlaces {
    const slug = `${manifest.name}-${manifest.version}`.replace(/[^\w.-]+/g, '-').slice(0, 80);
    const { home, nodePath } = parts;
    return { folder: path.join(folder, `${slug}-${hash}`), home, nodePath, platform: process.platform };
  }

  async function open(
    file: string,
  ): Promise<{ manifest: Manifest; places: BundlePlaces; files: number; bytes: number }> {
    const { size } = await stat(file).catch((cause: unknown) => {
      throw new CausewayError('not_found', `There is no bundle ${file}.`, { cause });
    });
    if (size > LARGEST) throw new CausewayError('bad_input', 'This bundle can not be used: it is too large.');
    const { manifest: text, files, bytes } = await inspectBundle(file);
    const manifest = readManifest(text);
    return { manifest, places: placesFor(manifest, await hashOf(file)), files, bytes };
  }

  function fileOf(upload: string): string {
    if (!/^[0-9a-f-]{36}$/.test(upload)) throw new CausewayError('not_found', 'There is no such upload.');
    return path.join(uploads, `${upload}.mcpb`);
  }

  return {
    async receive({ upload = randomUUID(), data }) {
      const file = fileOf(upload);
      await mkdir(uploads, { recursive: true, mode: 0o700 });
      const known = await stat(file).catch(() => undefined);
      if ((known?.size ?? 0) + data.length > LARGEST) {
        await rm(file, { force: true });
        throw new CausewayError('bad_input', 'This bundle can not be used: it is too large.');
      }
      await appendFile(file, data, { mode: 0o600 });
      return upload;
    },
    uploaded(upload) {
      const file = fileOf(upload);
      if (existsSync(file)) return file;
      throw new CausewayError('not_found', 'This upload is gone.', { hint: 'Choose the file again.' });
    },
    async look(file) {
      const { manifest, places, files, bytes } = await open(file);
      const launch = launchOf(manifest, places);
      return {
        name: freeName(manifest.name, new Set(servers.list().map(({ name }) => name))),
        title: manifest.display_name ?? manifest.name,
        version: manifest.version,
        description: manifest.description,
        author: manifest.author?.name ?? '',
        type: manifest.server.type,
        target: describeTarget(launch),
        values: describeValues(launch),
        files,
        bytes,
        tools: manifest.tools.map(({ name }) => name),
        fields: fieldsOf(manifest, (text) => resolvePlaces(text, places)),
      };
    },
    async add(file, name, values) {
      const { manifest, places } = await open(file);
      const fields = fieldsOf(manifest, (text) => resolvePlaces(text, places));
      const { config, inputs, secrets } = configure(launchOf(manifest, places), fields, values, name);
      if (servers.list().some((server) => server.name === name)) {
        throw new CausewayError('conflict', `There already is a server named "${name}".`, {
          hint: 'Choose another name.',
        });
      }
      await unpackInto(file, places.folder, manifest, config);
      for (const [id, value] of Object.entries(secrets)) parts.keepSecret(id, value);
      const [view] = await servers.addAll([{ name, config }], inputs);
      if (!view) throw new CausewayError('internal', `The server "${name}" was added and is not listed.`);
      if (path.dirname(file) === uploads) await rm(file, { force: true });
      return view;
    },
    async sweep() {
      try {
        // The text, not what is understood of it: an entry with a slip in it keeps its bundle.
        const used = existsSync(parts.configPath) ? await readFile(parts.configPath, 'utf8') : '';
        for (const entry of await readdir(folder)) {
          const place = path.join(folder, entry);
          if (used.includes(entry)) continue;
          if (Date.now() - (await stat(place)).mtimeMs > YOUNG_MS) await rm(place, { recursive: true, force: true });
        }
      } catch {
        // Nothing was ever unpacked, or it is looked at the next time.
      }
    },
  };
}

/** A folder of this name holds just this bundle, so that one that is there needs no second unpacking. */
async function unpackInto(file: string, folder: string, manifest: Manifest, config: StdioServerConfig): Promise<void> {
  if (existsSync(folder)) return;
  const temporary = `${folder}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await mkdir(temporary, { recursive: true, mode: 0o700 });
    await unpackBundle(file, temporary);
    const entry = path.resolve(temporary, manifest.server.entry_point);
    if (!entry.startsWith(temporary + path.sep) || !(existsSync(entry) || existsSync(`${entry}.exe`))) {
      throw new CausewayError(
        'bad_input',
        `This bundle can not be used: its "${manifest.server.entry_point}" is missing.`,
      );
    }
    await rename(temporary, folder).catch(async (error: unknown) => {
      // Somebody else unpacked the same one in the meantime.
      if (!existsSync(folder)) throw error;
      await rm(temporary, { recursive: true, force: true });
    });
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (error instanceof CausewayError) throw error;
    throw new CausewayError('io', `The bundle could not be unpacked to ${config.cwd ?? folder}.`, { cause: error });
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex').slice(0, 12);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  return free;
}
