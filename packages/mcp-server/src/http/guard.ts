import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import { timingSafeEqual, createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Who may come in. */
export interface Gate {
  /** Host names beside those of this machine itself, as browsers and programs would call the endpoint. */
  readonly hosts: readonly string[];
  /** Lower-case hex SHA-256 of each token that counts. */
  readonly tokenDigests: readonly string[];
}

/** Why a request is turned away. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const isToken = (given: string, known: string): boolean => {
  const [one, other] = [createHash('sha256').update(given).digest(), Buffer.from(known, 'hex')];
  return one.length === other.length && timingSafeEqual(one, other);
};

/**
 * Looks at a request before anything of it is read (G1): a name that leads here by a trick of DNS, a page of another site, a caller without the
 * token.
 */
export function findRefusal({ host, origin, authorization }: IncomingHttpHeaders, { hosts, tokenDigests }: Gate): Refusal | undefined {
  const names = [...localhostAllowedHostnames(), ...hosts];
  const ofHost = validateHostHeader(host, names);
  if (!ofHost.ok) return { status: 403, message: `Forbidden: ${ofHost.message}` };
  const ofOrigin = validateOriginHeader(origin, names);
  if (!ofOrigin.ok) return { status: 403, message: `Forbidden: ${ofOrigin.message}` };
  const token = /^Bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1];
  const isKnown = token !== undefined && tokenDigests.map((known) => isToken(token, known)).includes(true);
  if (isKnown) return undefined;
  const challenge = token === undefined ? 'Bearer realm="codelab"' : 'Bearer realm="codelab", error="invalid_token"';
  return { status: 401, message: 'Unauthorized: a bearer token is required.', headers: { 'www-authenticate': challenge } };
}
