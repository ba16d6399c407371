import { SESSION_ID, sessionRef } from '@codelab/bus';
import { refuse } from '@codelab/protocol';
import type { Scope } from '@codelab/auth';
import type { Caller } from '../../core/caller.js';
import { RefusedRequest } from './refused-request.js';
import type { RestRequest } from './admit-request.js';

/** What is not there, and what is another's: the same answer (S1). */
export const notThere = (): RefusedRequest => new RefusedRequest(refuse('SESSION_NOT_FOUND', 'there is no such session'));

/** Who asks, and for which of their sessions. Throws `RefusedRequest`. */
export function toCaller({ identity }: RestRequest, sessionId: string): Caller {
  if (!SESSION_ID.test(sessionId)) throw notThere();
  return { identity, session: sessionRef(identity.owner, sessionId), connection: 'rest', isExecutor: false };
}

/** Throws `RefusedRequest` if the token may not do that. */
export function demandScope({ identity }: RestRequest, scope: Scope): void {
  if (!identity.scopes.includes(scope)) throw new RefusedRequest(refuse('FORBIDDEN', `this token lacks the scope ${scope}`));
}
