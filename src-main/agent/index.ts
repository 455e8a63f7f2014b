export type * from './contract.ts';
export { createAgent } from './agent.ts';
export { createRewind, type Rewind } from './rewind.ts';
export { settleInterrupted } from './interrupted.ts';
export { findLocalEndpoints } from './openai/local.ts';
export { createOpenAIModel } from './openai/model.ts';
export { resolveModel } from './openai/resolve.ts';
export { findChromium } from './demo/chromium.ts';
export { prepareDemo } from './demo/prepare.ts';
