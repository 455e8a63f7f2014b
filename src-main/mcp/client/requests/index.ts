export type * from './contract.ts';
export { createCallClock, type CallClock } from './call-clock.ts';
export { askForPages } from './pages-required.ts';
export { createRequestSide, type RequestSide } from './request-side.ts';
export { requestWithInput, type AskableRequest } from './with-input.ts';
