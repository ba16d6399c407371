import type { JWTPayload } from 'jose';
import type { Owner } from '@codelab/bus';
import { ALL_SCOPES, type Scope } from './identity.js';

/** What the claims of a verified JWT grant, or the one that can't be read and what it must be. Never holds a claim's value. */
export type ReadClaims =
  | { readonly ok: true; readonly owner: Owner; readonly scopes: readonly Scope[] }
  | { readonly ok: false; readonly fault: string };

export interface ClaimDefaults {
  /** The tenant of a token without the claim `tenant`. */
  readonly tenant: string;
  /** The scopes of a token with neither `scope` nor `scp`. */
  readonly scopes: readonly Scope[];
}

/** A name of a tenant or a person: printable and well-formed, so that no two of them can be written, or hashed, as one (S1). */
const NAME = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,255}$/u;
const isName = (claim: unknown): claim is string => typeof claim === 'string' && NAME.test(claim);

/** The claims that name scopes: RFC 8693, and what Microsoft Entra ID and Okta call it. */
const SCOPE_CLAIMS = ['scope', 'scp'] as const;

/**
 * Reads whose a token is and what it may do. `scope` and `scp` are a string of names separated by spaces, or an array of names; where both
 * are present, a scope must be in both. A claim of any other shape, `null` included, is a fault: what can't be read grants nothing.
 */
export function readClaims(payload: JWTPayload, defaults: ClaimDefaults): ReadClaims {
  const { sub, tenant = defaults.tenant } = payload as JWTPayload & { readonly tenant?: unknown };
  if (!isName(sub)) return { ok: false, fault: 'sub must be a string of 1 to 255 printable characters' };
  if (!isName(tenant)) return { ok: false, fault: 'tenant must be a string of 1 to 255 printable characters' };
  const present = SCOPE_CLAIMS.filter((claim) => payload[claim] !== undefined);
  let scopes = present.length === 0 ? defaults.scopes : ALL_SCOPES;
  for (const claim of present) {
    const named = namesIn(payload[claim]);
    if (named === undefined) return { ok: false, fault: `${claim} must be a string of names separated by spaces, or an array of strings` };
    scopes = scopes.filter((scope) => named.includes(scope));
  }
  return { ok: true, owner: { tenant, sub }, scopes };
}

function namesIn(claim: unknown): readonly string[] | undefined {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) && claim.every((name): name is string => typeof name === 'string') ? claim : undefined;
}
