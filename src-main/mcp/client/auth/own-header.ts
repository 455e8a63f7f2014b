import { CausewayError, type HttpServerConfig } from '../../../../src-shared/index.ts';
import { httpStatus } from '../failure.ts';
import { hasOwnAuthorization } from './settings.ts';

/** Whoever writes an Authorization header into the config wants no other sign-in: that it is refused is said, no more. */
export function refuseOwnHeader(config: HttpServerConfig, error: unknown): unknown {
  if (httpStatus(error) !== 401 || !hasOwnAuthorization(config)) return error;
  return new CausewayError('refused', 'It refused the Authorization header of its config entry (HTTP 401).', {
    hint: 'Correct the header, or remove it to sign in in the browser.',
    cause: error,
  });
}
