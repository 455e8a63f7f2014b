export type * from './contract.ts';
export { createLocalOperator } from './local.ts';
export { createFileThreads, type FileThreads } from './threads/file-threads.ts';
export { createSandboxedOperators, type SandboxedOperators } from './sandboxed/operators.ts';
