import { refuse, type Refusal } from '@codelab/protocol';
import type { Identity } from './identity.js';

/**
 * Why a connection may not go on with another token, if it may not. The token must be of the same person, and have every scope that the
 * connection has: one that may do less neither prolongs what it couldn't begin, nor takes rights away unnoticed. It may have more.
 */
export function judgeRenewal(present: Identity, renewed: Identity): Refusal | undefined {
  const { tenant, sub } = renewed.owner;
  if (tenant !== present.owner.tenant || sub !== present.owner.sub) {
    return refuse('FORBIDDEN', 'auth.token: it is of another person than this connection');
  }
  const lacking = ['session' as const, ...present.scopes].find((scope) => !renewed.scopes.includes(scope));
  if (lacking === undefined) return undefined;
  return refuse(
    'FORBIDDEN',
    `auth.token: it lacks the scope ${lacking}, which this connection has: send one that may do as much, or reconnect`,
  );
}
