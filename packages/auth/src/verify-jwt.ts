import { createRemoteJWKSet, errors, importSPKI, jwtVerify, type CryptoKey, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { refuse } from '@codelab/protocol';
import type { VerifyJwt } from './authenticate.js';
import { ALL_SCOPES, type Scope } from './identity.js';

/** The one issuer whose tokens count, and the key that its signatures are checked with. */
export interface JwtIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly key:
    | { readonly kind: 'secret'; readonly secret: string }
    | { readonly kind: 'public_key'; readonly pem: string }
    | { readonly kind: 'jwks'; readonly url: string };
}

/** Clocks of two machines differ. */
const CLOCK_TOLERANCE_S = 5;
/** A name of a tenant or a person: printable, so that no two of them can be written as one (S1). */
const NAME = /^[^\p{Cc}]{1,255}$/u;

type Material = { readonly algorithm: 'HS256' | 'RS256'; readonly key: CryptoKey | Uint8Array | JWTVerifyGetKey };

const materialOf = async (key: JwtIssuer['key']): Promise<Material> => {
  if (key.kind === 'secret') return { algorithm: 'HS256', key: new TextEncoder().encode(key.secret) };
  if (key.kind === 'public_key') return { algorithm: 'RS256', key: await importSPKI(key.pem, 'RS256') };
  return { algorithm: 'RS256', key: createRemoteJWKSet(new URL(key.url)) };
};

const scopesOf = ({ scope }: JWTPayload): readonly Scope[] => {
  if (typeof scope !== 'string') return ALL_SCOPES;
  const named = scope.split(' ');
  return ALL_SCOPES.filter((known) => named.includes(known));
};

/**
 * Verifies JWTs of one issuer. The algorithm is that of the configured key, whatever the token's header says; `iss`, `aud` and `exp` are
 * required. Claims: `sub`, `tenant` (without it the issuer), `scope` (space-separated; without it every scope). Keys of a JWKS are cached;
 * an issuer that can't be reached is `UNAVAILABLE`, never a wrong token. Throws if the public key is none.
 */
export async function createVerifyJwt({ issuer, audience, key: source }: JwtIssuer): Promise<VerifyJwt> {
  const { algorithm, key } = await materialOf(source);
  const options = {
    issuer,
    audience,
    algorithms: [algorithm],
    requiredClaims: ['iss', 'aud', 'exp', 'sub'],
    clockTolerance: CLOCK_TOLERANCE_S,
  };
  const verify = (token: string) => (typeof key === 'function' ? jwtVerify(token, key, options) : jwtVerify(token, key, options));
  return async (token) => {
    try {
      const { payload } = await verify(token);
      const { sub, exp, tenant = issuer } = payload as JWTPayload & { readonly tenant?: unknown };
      if (typeof tenant !== 'string' || !NAME.test(tenant) || !NAME.test(sub ?? '')) {
        return refuse('TOKEN_INVALID', 'the token must name a sub and a tenant of 1 to 255 printable characters');
      }
      return { ok: true, identity: { owner: { tenant, sub: sub! }, scopes: scopesOf(payload), expiresAtMs: exp! * 1000 } };
    } catch (error) {
      return toRefusal(error);
    }
  };
}

/** What jose says when the issuer's keys can't be had; any error that is not jose's is the network's. */
const ISSUER_AWAY: ReadonlySet<string> = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']);

/** The boundary to jose: its errors say more about the token than its bearer needs to know. */
const toRefusal = (error: unknown) => {
  if (error instanceof errors.JWTExpired) return refuse('TOKEN_EXPIRED', 'the token has expired: get a new one and reconnect');
  if (error instanceof errors.JOSEError && !ISSUER_AWAY.has(error.code)) {
    return refuse('TOKEN_INVALID', 'the token is not one that this gateway accepts');
  }
  return refuse('UNAVAILABLE', "the issuer's keys can't be read now: try again");
};
