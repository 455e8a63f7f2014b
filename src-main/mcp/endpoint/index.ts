export type * from './contract.ts';
export { createEndpoint } from './endpoint.ts';
export { createHttpEndpoint, type HttpEndpoint, type HttpEndpointOptions } from './http-endpoint.ts';
export { createHttpHandler, type HttpHandler, type HttpHandlerOptions } from './http-handler.ts';
export { serveStdio, type StdioOptions } from './stdio.ts';
