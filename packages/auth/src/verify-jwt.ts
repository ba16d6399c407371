import { createRemoteJWKSet, errors, importSPKI, jwtVerify, type CryptoKey, type JWTVerifyGetKey } from 'jose';
import { refuse } from '@codelab/protocol';
import type { VerifyJwt } from './authenticate.js';
import { USUAL_SCOPES } from './identity.js';
import { readClaims } from './read-claims.js';

/** The one issuer whose tokens count, and the key that its signatures are checked with. */
export interface JwtIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly key:
    | { readonly kind: 'secret'; readonly secret: string }
    | { readonly kind: 'public_key'; readonly pem: string }
    | { readonly kind: 'jwks'; readonly url: string };
  /** Whether a token that names no scopes has all of them. Unset: it has none. */
  readonly unscopedMayDoAll?: boolean;
}

/** Hears why a token whose signature is good was refused all the same: its issuer's operator has to know. Never given the token. */
export type OnRefusedClaims = (fault: string) => void;

/** Clocks of two machines differ. */
const CLOCK_TOLERANCE_S = 5;

type Material = { readonly algorithm: 'HS256' | 'RS256'; readonly key: CryptoKey | Uint8Array | JWTVerifyGetKey };

const materialOf = async (key: JwtIssuer['key']): Promise<Material> => {
  if (key.kind === 'secret') return { algorithm: 'HS256', key: new TextEncoder().encode(key.secret) };
  if (key.kind === 'public_key') return { algorithm: 'RS256', key: await importSPKI(key.pem, 'RS256') };
  return { algorithm: 'RS256', key: createRemoteJWKSet(new URL(key.url)) };
};

/**
 * Verifies JWTs of one issuer. The algorithm is that of the configured key, whatever the token's header says; `iss`, `aud` and `exp` are
 * required. Claims: `sub`, `tenant` (without it the issuer), `scope` or `scp` (without them no scope, unless the issuer says otherwise).
 * Keys of a JWKS are cached; an issuer that can't be reached is `UNAVAILABLE`, never a wrong token. Throws if the public key is none.
 */
export async function createVerifyJwt(
  { issuer, audience, key: source, unscopedMayDoAll = false }: JwtIssuer,
  onRefusedClaims: OnRefusedClaims,
): Promise<VerifyJwt> {
  const { algorithm, key } = await materialOf(source);
  const options = {
    issuer,
    audience,
    algorithms: [algorithm],
    requiredClaims: ['iss', 'aud', 'exp', 'sub'],
    clockTolerance: CLOCK_TOLERANCE_S,
  };
  const defaults = { tenant: issuer, scopes: unscopedMayDoAll ? USUAL_SCOPES : [] };
  const verify = (token: string) => (typeof key === 'function' ? jwtVerify(token, key, options) : jwtVerify(token, key, options));
  return async (token) => {
    try {
      const { payload } = await verify(token);
      const claims = readClaims(payload, defaults);
      if (!claims.ok) {
        onRefusedClaims(claims.fault);
        return refuse('TOKEN_INVALID', `the token is signed by the issuer, but ${claims.fault}`);
      }
      const { owner, scopes } = claims;
      return { ok: true, identity: { owner, scopes, expiresAtMs: payload.exp! * 1000 } };
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
