export type * from './contract.ts';
export { createCollection, type ToolCollection } from './collection.ts';
export { createGateway, type GatewayParts } from './gateway.ts';
export { createInputCheck, type InputCheck } from './input-check.ts';
export { createReadOutputTool } from './output/index.ts';
