import path from 'node:path';
import { CausewayError } from '../../src-shared/index.ts';
import { makeFolders, processIdentity } from '../platform/index.ts';
import { createBlobStore } from './blobs.ts';
import { createByteStore } from './bytes.ts';
import type { Store } from './contract.ts';
import { openDatabase } from './database.ts';
import { createEventLog } from './events.ts';
import type { Loss } from './loss.ts';
import type { Schema } from './migrate.ts';
import { createOutputStore } from './outputs.ts';
import { storeSchema } from './schema.ts';
import type { Keychain } from './keychain.ts';
import { openSecretKey } from './secret-key.ts';
import { createSecretStore } from './secrets.ts';
import { createSessionStore } from './sessions.ts';
import { createSettingsStore } from './settings.ts';

export type * from './contract.ts';
export { systemKeychain } from './keychain.ts';
export type { Schema } from './migrate.ts';

/**
 * Opens everything Causeway keeps, in `home` (made when missing, for this user only).
 * @param schemas tables of other capabilities that live in the same database.
 * @param keychain where the key of the secrets may go; without one it is a file.
 * @throws CausewayError when the folder or the database can't be used.
 */
export function openStore({
  home,
  schemas = [],
  keychain,
}: {
  home: string;
  schemas?: readonly Schema[];
  keychain?: Keychain | undefined;
}): Store & {
  /** Set when the database is a new one in the place of another that was lost. */
  readonly loss: Loss | undefined;
} {
  makeHome(home);
  const { db, loss } = openDatabase(path.join(home, 'causeway.db'), [
    { name: 'store', steps: storeSchema },
    ...schemas,
  ]);
  const secretKey = openSecretKey(home, keychain);
  return {
    home,
    db,
    loss,
    sessions: createSessionStore(db, processIdentity(process.pid) ?? String(process.pid)),
    events: createEventLog(db),
    blobs: createBlobStore(path.join(home, 'blobs')),
    // They were among the blobs at first.
    fileBytes: createByteStore(path.join(home, 'file-bytes'), path.join(home, 'blobs')),
    outputs: createOutputStore(path.join(home, 'outputs')),
    settings: createSettingsStore(path.join(home, 'settings.json')),
    secrets: createSecretStore(home, secretKey),
    secretKey,
    [Symbol.dispose]: () => db.close(),
  };
}

function makeHome(home: string): void {
  try {
    makeFolders(home, 0o700);
  } catch (cause) {
    throw new CausewayError(
      'io',
      `The data folder ${home} can not be made: there is a file in its place, or no right to write there.`,
      {
        hint: 'Set CAUSEWAY_HOME to another folder.',
        cause,
      },
    );
  }
}
