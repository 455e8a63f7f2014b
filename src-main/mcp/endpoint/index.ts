export type * from './contract.ts';
export { createEndpoint } from './endpoint.ts';
export { createHttpEndpoint, type HttpEndpoint } from './http-endpoint.ts';
export { createHttpHandler } from './http-handler.ts';
export { serveStdio } from './stdio.ts';
