export type * from './contract.ts';
export { createLocalOperator } from './local.ts';
