import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { CausewayError } from '../../src-shared/index.ts';
import { writeFileAtomic } from '../platform/index.ts';
import type { SecretStore } from './contract.ts';
import { openSecretKey, type SecretKey } from './secret-key.ts';

const CIPHER = 'aes-256-gcm';
const sealed = z.object({ iv: z.string(), tag: z.string(), data: z.string() });
const secretsFile = z.record(z.string(), sealed);
type SecretsFile = z.infer<typeof secretsFile>;

/**
 * Secrets in an encrypted file. This keeps them out of backups, logs and screenshots of the settings; where the key is a file, too,
 * it does not protect against a program that runs as the same user and reads both.
 */
export function createSecretStore(folder: string, key: SecretKey = openSecretKey(folder, undefined)): SecretStore {
  const file = path.join(folder, 'secrets.json');
  return {
    get(name) {
      const entry = readSecrets(file)[name];
      return entry && open(entry, key.get());
    },
    set(name, value) {
      const { [name]: _former, ...others } = readSecrets(file);
      const next = value === null ? others : { ...others, [name]: seal(value, key.get()) };
      writeFileAtomic(file, JSON.stringify(next));
    },
  };
}

function readSecrets(file: string): SecretsFile {
  const text = readIfThere(file);
  if (text === undefined) return {};
  try {
    return secretsFile.parse(JSON.parse(text.toString('utf8')));
  } catch (cause) {
    throw new CausewayError('io', `The file ${file} is damaged.`, {
      hint: 'Remove it and enter your keys again.',
      cause,
    });
  }
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function seal(value: string, key: Buffer): z.infer<typeof sealed> {
  const iv = randomBytes(12);
  const cipher = createCipheriv(CIPHER, key, iv);
  const data = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return { iv: iv.toString('base64'), tag: cipher.getAuthTag().toString('base64'), data: data.toString('base64') };
}

function open(entry: z.infer<typeof sealed>, key: Buffer): string {
  try {
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(entry.iv, 'base64'));
    decipher.setAuthTag(Buffer.from(entry.tag, 'base64'));
    return decipher.update(entry.data, 'base64', 'utf8') + decipher.final('utf8');
  } catch (cause) {
    throw new CausewayError('io', 'A stored secret can not be read any more.', {
      hint: 'Enter it again in Settings.',
      cause,
    });
  }
}
