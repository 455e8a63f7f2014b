import { existsSync } from 'node:fs';
import path from 'node:path';

/** The system's keychain: Keychain on macOS, the Credential Manager on Windows, a Secret Service (GNOME, KDE) on Linux. */
export interface Keychain {
  /** Undefined when it has nothing under that name. May wait for a person to unlock it. @throws when it can not be read. */
  read(account: string): Promise<Uint8Array | undefined>;
  /** @throws when it can not be written. */
  write(account: string, secret: Uint8Array): Promise<void>;
}

const SERVICE = 'Causeway';
/** Without this the library would fall back to the kernel's keyring, which forgets everything when the machine is restarted. */
const LASTING = { linux: { store: 'secret-service' } } as const;

/**
 * Undefined where there is none to be asked: on Linux without a session bus, and with `CAUSEWAY_KEYCHAIN=off`. That there is one
 * does not say that it can be used.
 */
export function systemKeychain(env: NodeJS.ProcessEnv, platform = process.platform): Keychain | undefined {
  if (env['CAUSEWAY_KEYCHAIN'] === 'off') return undefined;
  if (platform !== 'darwin' && platform !== 'win32' && !hasSessionBus(env)) return undefined;
  // Loaded when it is needed: most commands need no secrets.
  const entry = async (account: string) => new (await import('@napi-rs/keyring')).AsyncEntry(SERVICE, account, LASTING);
  return {
    async read(account) {
      const secret = await (await entry(account)).getSecret();
      return secret ? Uint8Array.from(secret) : undefined;
    },
    write: async (account, secret) => (await entry(account)).setSecret(secret),
  };
}

function hasSessionBus({ DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: runtime }: NodeJS.ProcessEnv): boolean {
  return Boolean(address) || (runtime !== undefined && existsSync(path.join(runtime, 'bus')));
}
