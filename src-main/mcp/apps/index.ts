export type * from './contract.ts';
export { onlyPublic, viewPolicy } from './policy.ts';
export { createViews } from './views.ts';
