export type { Admission, SeenServer, Trust } from './contract.ts';
export { createTrustDesk, type TrustDesk } from './desk.ts';
export { trustSchema } from './schema.ts';
export { createTrustStore } from './store.ts';
export { createTrust } from './trust.ts';
