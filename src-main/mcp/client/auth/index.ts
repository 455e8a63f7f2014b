export type { Authorizer, RunningSignIn } from './authorizer.ts';
export { memorySecrets } from './memory-secrets.ts';
export { refuseOwnHeader } from './own-header.ts';
export { createServerSignIn, type ServerSignIn } from './server-sign-in.ts';
