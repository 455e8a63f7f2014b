export type * from './contract.ts';
export type { ScanLimits } from './commands/scan.ts';
export { createCommandSnapshots, type CommandSnapshots } from './commands/snapshots.ts';
export { trackChanges } from './commands/tracked-tool.ts';
export { openHistory } from './history.ts';
export { historySchema } from './schema.ts';
