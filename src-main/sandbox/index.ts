export type * from './contract.ts';
export { createSandbox } from './sandbox.ts';
