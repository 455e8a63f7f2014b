export { createAuthorizer, type Authorizer, type RunningSignIn } from './authorizer.ts';
export { memorySecrets } from './memory-secrets.ts';
export { refuseOwnHeader } from './own-header.ts';
export { SignInNeeded } from './words.ts';
