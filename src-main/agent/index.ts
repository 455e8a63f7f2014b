export type * from './contract.ts';
export { createAgent, type AgentParts } from './agent.ts';
export { settleInterrupted } from './interrupted.ts';
export { findLocalEndpoints } from './openai/local.ts';
export { createOpenAIModel, type OpenAIModelOptions } from './openai/model.ts';
export { resolveModel } from './openai/resolve.ts';
export { findChromium } from './demo/chromium.ts';
export { prepareDemo, type Demo, type DemoParts } from './demo/prepare.ts';
