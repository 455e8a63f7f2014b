import type { SecretStore } from '../../../store/index.ts';

/** Secrets that end with the process. */
export function memorySecrets(): SecretStore {
  const kept = new Map<string, string>();
  return {
    get: (name) => kept.get(name),
    set(name, value) {
      if (value === null) kept.delete(name);
      else kept.set(name, value);
    },
  };
}
