export type * from './contract.ts';
export { createTrust, createTrustStore, trustSchema } from './trust/index.ts';
export { createServers, type ServersOptions } from './servers.ts';
export type { RequestOrigin, ServerHost } from './requests/index.ts';
export { expandTemplate } from './offers/index.ts';
