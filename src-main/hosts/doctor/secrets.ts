import type { Finding } from '../../../src-shared/index.ts';
import type { App } from '../../app.ts';

/** Where keys and tokens are kept, and whether they can be had. */
export async function checkSecrets({ store: { secretKey } }: App): Promise<Finding> {
  await secretKey.ready;
  if (secretKey.place === 'file') {
    return {
      name: 'Secrets',
      status: 'ok',
      detail: 'Keys and tokens are in an encrypted file whose key lies beside it: no keychain can be used here.',
    };
  }
  if (secretKey.problem !== undefined) {
    return {
      name: 'Secrets',
      status: 'warning',
      detail: `The key of the stored keys and tokens is in the system's keychain, which does not give it: ${secretKey.problem}.`,
      fix: 'Unlock the keychain, or start Causeway in the session of your desktop.',
    };
  }
  return {
    name: 'Secrets',
    status: 'ok',
    detail: "Keys and tokens are encrypted; the key is in the system's keychain.",
  };
}
