import {
  AuthorizationServerMismatchError,
  IssuerMismatchError,
  OAuthError,
  OAuthErrorCode,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import { CausewayError } from '../../../../src-shared/index.ts';

/** Characters of somebody else's words that a sentence quotes. */
const QUOTED_LENGTH = 200;
/** What looks like a token or a code is in no sentence, whoever put it there. */
const TOKEN_LIKE = /[\w.~+/=-]{24,}/g;

/** The person has to sign in before the server can be used. */
export class SignInNeeded extends CausewayError {
  constructor(message: string) {
    super('refused', message, { hint: 'Sign in on the Servers page, or with "causeway servers login".' });
    this.name = 'SignInNeeded';
  }
}

/** Why signing in did not work, as an error for people. Words from outside are quoted, bounded, and free of secrets. */
export function explainSignIn(error: unknown): CausewayError {
  if (error instanceof CausewayError) return error;
  if (error instanceof IssuerMismatchError || error instanceof AuthorizationServerMismatchError) {
    return new CausewayError('refused', 'The answer came from another authorization server than the one asked.', {
      hint: 'Somebody may be trying to get hold of your sign-in. Ask whoever runs the server.',
      cause: error,
    });
  }
  if (error instanceof RegistrationRejectedError) {
    return new CausewayError(
      'protocol',
      `The authorization server did not register Causeway as a client (HTTP ${error.status}).`,
      { hint: 'Register one by hand and put its "clientId" under "oauth" in the config entry.' },
    );
  }
  if (error instanceof OAuthError && isTrouble(error)) {
    const status = /HTTP \d{3}/.exec(error.message)?.[0];
    return new CausewayError('unavailable', `The authorization server has trouble${status ? ` (${status})` : ''}.`, {
      hint: 'Try again later.',
    });
  }
  if (error instanceof OAuthError) {
    return new CausewayError('refused', `The authorization server answered "${quote(error.code)}"${detail(error)}.`);
  }
  if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')) {
    return new CausewayError('unavailable', 'The authorization server can not be reached.', { cause: error });
  }
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('does not support dynamic client registration')) {
    return new CausewayError('protocol', 'The authorization server registers no clients by itself.', {
      hint: 'Register one by hand and put its "clientId" under "oauth" in the config entry.',
    });
  }
  return new CausewayError('protocol', `Signing in failed: ${quote(message).replace(/\.$/, '')}.`);
}

/** Trouble of the authorization server itself says nothing of the sign-in. */
export function isTrouble({ code }: OAuthError): boolean {
  const trouble: readonly string[] = [
    OAuthErrorCode.ServerError,
    OAuthErrorCode.TemporarilyUnavailable,
    OAuthErrorCode.TooManyRequests,
  ];
  return trouble.includes(code);
}

function detail({ code, message }: OAuthError): string {
  const said = quote(message).replace(/\.$/, '');
  return said === '' || said === code ? '' : `: ${said}`;
}

/** Words from outside, as part of a sentence of ours. */
export function quote(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim();
  return line.replace(TOKEN_LIKE, (word) => (/\d/.test(word) ? '***' : word)).slice(0, QUOTED_LENGTH);
}
