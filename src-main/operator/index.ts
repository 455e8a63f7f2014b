export type * from './contract.ts';
export { createLocalOperator } from './local.ts';
export { createSandboxedOperators, type SandboxedOperators } from './sandboxed/operators.ts';
