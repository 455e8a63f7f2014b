import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { CausewayError, describeError } from '../../src-shared/index.ts';
import { writeFileAtomic } from '../platform/index.ts';
import type { Keychain } from './keychain.ts';

const KEY_BYTES = 32;
const note = z.object({ account: z.string().min(1) });

/** The key that secrets are encrypted with. */
export interface SecretKey {
  /** `file`: beside the secrets, readable by this user only. */
  readonly place: 'keychain' | 'file';
  /** @throws CausewayError `unavailable` when the keychain does not give it, or has not yet. */
  get(): Buffer;
  /** Why the keychain does not give it, in a few words. */
  readonly problem: string | undefined;
  /** Resolves when what there is to be had is there. Never rejects. */
  readonly ready: Promise<void>;
}

/**
 * The key of a data folder. Where the system has a keychain that works, the key goes there, and from then on it is nowhere else: a
 * note beside the secrets says so, and is there before the file goes, so that no program finds neither.
 */
export function openSecretKey(folder: string, keychain: Keychain | undefined): SecretKey {
  const keyFile = path.join(folder, 'secrets.key');
  const noteFile = path.join(folder, 'secrets.keychain');
  let fromKeychain: Buffer | undefined;
  let problem: string | undefined;

  const readNote = (): string | undefined => {
    const text = readIfThere(noteFile);
    return text && note.parse(JSON.parse(text.toString('utf8'))).account;
  };

  async function load(account: string): Promise<void> {
    problem = 'it has not answered yet';
    if (!keychain) {
      problem = 'there is none in this session';
      return;
    }
    try {
      const secret = await keychain.read(account);
      if (secret?.length === KEY_BYTES) [fromKeychain, problem] = [Buffer.from(secret), undefined];
      else problem = 'it has no such entry any more';
    } catch (error) {
      problem = describeError(error);
    }
  }

  /** Only a key that can be read back is given away. */
  async function move(into: Keychain): Promise<void> {
    const account = createHash('sha256').update(path.resolve(folder)).digest('hex').slice(0, 32);
    try {
      const key = get();
      await into.write(account, key);
      const back = await into.read(account);
      if (!back || !key.equals(back)) return;
      writeFileAtomic(noteFile, JSON.stringify({ account }));
      fromKeychain = key;
      rmSync(keyFile, { force: true });
    } catch {
      // Locked, refused, or not there after all: the file is as good as before.
    }
  }

  function get(): Buffer {
    if (fromKeychain) return fromKeychain;
    const existing = readIfThere(keyFile);
    if (existing?.length === KEY_BYTES) return existing;
    // Looked at in this order: another program that moves the key writes the note first.
    if (readNote() !== undefined) {
      throw new CausewayError(
        'unavailable',
        `The system's keychain did not give the key of the secrets: ${problem ?? 'another program has just put it there'}.`,
        {
          hint: 'Unlock it and try again.',
        },
      );
    }
    const key = randomBytes(KEY_BYTES);
    writeFileAtomic(keyFile, key);
    return key;
  }

  const account = readNote();
  const ready = account !== undefined ? load(account) : keychain ? move(keychain) : Promise.resolve();
  return {
    get place() {
      return readNote() === undefined ? 'file' : 'keychain';
    },
    get problem() {
      return problem;
    },
    get,
    ready,
  };
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
