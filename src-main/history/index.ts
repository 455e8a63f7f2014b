export type * from './contract.ts';
export { openHistory, type HistoryParts } from './history.ts';
export { historySchema } from './schema.ts';
