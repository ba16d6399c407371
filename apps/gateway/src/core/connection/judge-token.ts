import { refuse, type ClientFrame } from '@codelab/protocol';
import { judgeRenewal, type Authenticate, type Authenticated, type Identity } from '@codelab/auth';
import { about } from '../refusals.js';

/**
 * Who sends the first frame of a connection that came without a token (G1). `FORBIDDEN`: a known person, whose token is not for sessions.
 * @param frame absent for a message that is no frame
 */
export async function judgeFirstFrame(authenticate: Authenticate, frame: ClientFrame | undefined): Promise<Authenticated> {
  if (frame?.type !== 'auth') return about(frame?.type, refuse('UNAUTHORIZED', 'authenticate first: the first frame must be auth'));
  const authenticated = await authenticate(frame.token);
  if (!authenticated.ok) return about('auth', authenticated);
  if (!authenticated.identity.scopes.includes('session')) return about('auth', refuse('FORBIDDEN', 'this token lacks the scope session'));
  return authenticated;
}

/** Who renews the token of a connection: the same person, who may do all that the connection may. */
export async function judgeNewToken(authenticate: Authenticate, current: Identity, token: string): Promise<Authenticated> {
  const authenticated = await authenticate(token);
  const refusal = authenticated.ok ? judgeRenewal(current, authenticated.identity) : authenticated;
  return refusal === undefined ? authenticated : about('auth', refusal);
}
