import { SignJWT, type JWTPayload } from 'jose';

const SECRET = 'a-secret-of-more-than-thirty-two-characters';

/** The issuer that a gateway of a test believes. */
export const ISSUER = { jwtIssuer: 'https://issuer.example', jwtAudience: 'codelab', jwtSecret: SECRET };

/** Claims of carol of acme, good for an hour, without a scope. */
export const claimsOf = (more: object = {}): JWTPayload => ({
  ...{ iss: ISSUER.jwtIssuer, aud: ISSUER.jwtAudience, tenant: 'acme', sub: 'carol' },
  ...{ exp: Math.floor(Date.now() / 1_000) + 3_600, ...more },
});

/** A token of that issuer, whatever its claims are worth. */
export const signJwt = (more: object = {}, secret = SECRET): Promise<string> =>
  new SignJWT(claimsOf(more)).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));
