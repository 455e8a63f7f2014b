import { isInputRequiredResult, Server } from '@modelcontextprotocol/server';

type WrapHandler = Server['_wrapHandler'];

/**
 * The SDK's server, except that tool results leave as the handler gave them. The SDK checks them against the schema of the
 * protocol revision and sends its parsed copy, in which fields it does not know are missing; here the check stays, and the
 * original is sent.
 */
export class LosslessServer extends Server {
  protected override _wrapHandler(
    method: Parameters<WrapHandler>[0],
    handler: Parameters<WrapHandler>[1],
  ): ReturnType<WrapHandler> {
    if (method !== 'tools/call') return super._wrapHandler(method, handler);
    return async (request, context) => {
      let original: Awaited<ReturnType<typeof handler>> | undefined;
      const checked = super._wrapHandler(method, async (...args) => (original = await handler(...args)));
      const result = await checked(request, context);
      return isInputRequiredResult(result) ? result : (original ?? result);
    };
  }
}
