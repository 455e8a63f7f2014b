export type * from './contract.ts';
export { createTrust, createTrustStore, trustSchema } from './trust/index.ts';
export { createServers, type ServersOptions } from './servers.ts';
export type { RequestOrigin, ServerHost } from './requests/index.ts';
export { expandTemplate } from './offers/index.ts';
export { readServers } from './adding/read-servers.ts';
export { builtInBrowser } from './builtin-browser.ts';
export { createBundles, type Bundles } from './bundle/bundles.ts';
export { createImporter, type Importer } from './importing/import-servers.ts';
