import { Client, isJSONRPCResultResponse, type JSONRPCResponse } from '@modelcontextprotocol/client';

/**
 * The SDK's client, but it takes a result that does not say what kind it is for a complete one, as the protocol wants it
 * (2026-07-28, "Multi Round-Trip Requests"). The SDK refuses it, and a call that has run would be lost.
 */
export class LenientClient extends Client {
  protected override _onresponse(response: JSONRPCResponse): void {
    const complete =
      this.getProtocolEra() === 'modern' && isJSONRPCResultResponse(response) && !('resultType' in response.result);
    super._onresponse(complete ? { ...response, result: { ...response.result, resultType: 'complete' } } : response);
  }
}
