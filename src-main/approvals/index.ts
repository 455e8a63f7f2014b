export type * from './contract.ts';
export { createApprovals } from './approvals.ts';
export { createDesk } from './desk.ts';
