export type * from './contract.ts';
export { createCollection, type ToolCollection } from './collection.ts';
export { createGateway } from './gateway.ts';
export { createInputCheck } from './input-check.ts';
export { forModels } from './visibility.ts';
export { createReadOutputTool, matchText, readPage, searchOutput } from './output/index.ts';
