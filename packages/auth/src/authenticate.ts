import { createHash, timingSafeEqual } from 'node:crypto';
import { refuse, type Refusal } from '@codelab/protocol';
import type { Identity, Scope } from './identity.js';

/** One API key: the hash of a token, and whose it is. */
export interface ApiKey {
  /** Lower-case hex SHA-256 of the token. */
  readonly sha256: string;
  readonly tenant: string;
  readonly sub: string;
  readonly scopes: readonly Scope[];
}

/** Judges a JWT: an identity, or why it is none. */
export type VerifyJwt = (token: string) => Promise<Authenticated>;

/** A proven identity, or why there is none: `TOKEN_INVALID`, `TOKEN_EXPIRED`, `UNAVAILABLE`. */
export type Authenticated = { readonly ok: true; readonly identity: Identity } | Refusal;

/** Judges a token. Never throws. */
export type Authenticate = (token: string) => Promise<Authenticated>;

/** What a token is made of; everything else is refused unread. */
const TOKEN = /^[A-Za-z0-9._~-]{1,8000}$/;
/** A JWT is three parts of base64url. */
const JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

const INVALID = refuse('TOKEN_INVALID', 'the token is not known here');

/**
 * The one judge of tokens (G1). API keys first: every stored hash is compared, each in constant time, so that the answer takes as long
 * whether and wherever the key is found. Then a JWT, where an issuer is configured.
 */
export function createAuthenticate(keys: readonly ApiKey[], verifyJwt: VerifyJwt | undefined): Authenticate {
  const known = keys.map(({ sha256, tenant, sub, scopes }) => ({
    hash: Buffer.from(sha256, 'hex'),
    identity: { owner: { tenant, sub }, scopes } satisfies Identity,
  }));
  return async (token) => {
    if (!TOKEN.test(token)) return INVALID;
    const hash = createHash('sha256').update(token).digest();
    let found: Identity | undefined;
    for (const key of known) if (timingSafeEqual(hash, key.hash)) found = key.identity;
    if (found !== undefined) return { ok: true, identity: found };
    return verifyJwt !== undefined && JWT.test(token) ? verifyJwt(token) : INVALID;
  };
}
