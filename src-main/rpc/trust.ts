import type { App } from '../app.ts';
import type { Handlers } from './handlers.ts';

type TrustMethod = Extract<keyof Handlers, `trust.${string}`>;

/** What the window decides about servers and their tools. */
export function createTrustHandlers(trust: App['servers']['trust']): Pick<Handlers, TrustMethod> {
  return {
    'trust.server': ({ server }) => trust.view(server),
    'trust.setSwitch': ({ server, key, value }) => trust.setSwitch(server, key, value),
    'trust.setHold': ({ server, key, value }) => trust.setHold(server, key, value),
    'trust.setInstructions': ({ server, on }) => trust.setInstructions(server, on),
    'trust.answer': ({ server, ...answer }) => trust.answer(server, answer),
  };
}
