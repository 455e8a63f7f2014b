export type * from './contract.ts';
export { createServers, type ServersOptions } from './servers.ts';
