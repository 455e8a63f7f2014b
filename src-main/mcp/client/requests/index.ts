export type * from './contract.ts';
export { createCallClock } from './call-clock.ts';
export { askForPages } from './pages-required.ts';
export { createRequestSide, type RequestSide } from './request-side.ts';
export { requestWithInput } from './with-input.ts';
