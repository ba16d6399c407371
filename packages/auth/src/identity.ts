import type { Owner } from '@codelab/bus';

/** What a token may do. */
export type Scope = 'llm' | 'tools:list' | 'tools:run' | 'session' | 'approve' | 'operate';

/** Every scope. */
export const ALL_SCOPES: readonly Scope[] = ['llm', 'tools:list', 'tools:run', 'session', 'approve', 'operate'];

/**
 * What an API key has that names none: all that concerns its owner alone. `operate`, to see what the services run with, has to be named. A JWT
 * that names none has none, or these where a setting says so.
 */
export const USUAL_SCOPES: readonly Scope[] = ALL_SCOPES.filter((scope) => scope !== 'operate');

/** Who is at the other end, as a token proves it. */
export interface Identity {
  readonly owner: Owner;
  readonly scopes: readonly Scope[];
  /** When the token expires, in Unix milliseconds; absent for an API key. */
  readonly expiresAtMs?: number;
}

/** What the decisions of this identity are signed with. The words that name no human are not for humans. */
export const signatureOf = ({ owner }: Identity): string =>
  owner.sub === 'policy' || owner.sub === 'executor' ? `user:${owner.sub}` : owner.sub;
