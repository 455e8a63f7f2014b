export type * from './contract.ts';
export { openHistory } from './history.ts';
export { historySchema } from './schema.ts';
