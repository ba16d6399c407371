import { hash } from 'node:crypto';

/** Who a session belongs to: what an authenticated token says. */
export interface Owner {
  readonly tenant: string;
  readonly sub: string;
}

/** The inner name of a session: 26 characters of base32. Nobody outside sees it. */
export type Sid = string & { readonly brand: 'Sid' };

/** A session of an owner. Made only by {@link sessionRef}, so that no code path can name a session without an owner (S1). */
export interface SessionRef {
  readonly sid: Sid;
  /** The name that the owner uses: `[A-Za-z0-9_-]{1,64}`. */
  readonly sessionId: string;
  readonly owner: Owner;
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const SID_CHARACTERS = 26;

/** A hash of the text in base32, as one flat string: a slice would keep what it was cut from. */
const nameOf = (text: string): string => {
  const codes: number[] = [];
  let bits = 0;
  let buffer = 0;
  for (const byte of hash('sha256', text, 'buffer')) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      codes.push(ALPHABET.charCodeAt((buffer >> bits) & 31));
    }
    buffer &= (1 << bits) - 1;
  }
  return String.fromCharCode(...codes.slice(0, SID_CHARACTERS));
};

/** What a session may be called. */
export const SESSION_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The session that an owner calls `sessionId`. The same name of two owners is two sessions (S1). */
export function sessionRef(owner: Owner, sessionId: string): SessionRef {
  return { sid: nameOf(`${owner.tenant}\0${owner.sub}\0${sessionId}`) as Sid, sessionId, owner };
}

/** Names of owners that are remembered: each step asks for those of its session a few times, and a hash costs more than a look. */
const MAX_KNOWN_OWNERS = 2_000;
const knownOwners = new Map<string, string>();

const knownNameOf = (text: string): string => {
  const known = knownOwners.get(text);
  if (known !== undefined) return known;
  if (knownOwners.size >= MAX_KNOWN_OWNERS) knownOwners.clear();
  const name = nameOf(text);
  knownOwners.set(text, name);
  return name;
};

/** Names a tenant without saying which. */
export const tenantHash = (tenant: string): string => knownNameOf(`${tenant}\0`);

/** Names a person without saying who: the key of the list of sessions. */
export const ownerHash = (owner: Owner): string => knownNameOf(`${owner.tenant}\0${owner.sub}`);
