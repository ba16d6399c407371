import { findPrivateKey, KEY_ANCHOR } from './find-private-key.js';
import { looksRandom, SECRET_KINDS, type SecretKind } from './secret-kinds.js';

/** Where a secret stands in a text. */
export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** A private key whose end the text doesn't hold: where it begins, or where the rest of one begins that was cut. */
interface OpenKey {
  readonly at: number;
  readonly continued: boolean;
}

/** What was found, and what a text that goes on may still turn into a secret. */
export interface SecretSearch {
  readonly secrets: readonly FoundSecret[];
  readonly openKey: OpenKey | undefined;
}

/** Kinds by anchor; an anchor that is the beginning of another one stands behind it. */
const BY_ANCHOR: ReadonlyMap<string, readonly SecretKind[]> = SECRET_KINDS.flatMap((kind) =>
  kind.anchors.map((anchor) => [anchor, kind] as const),
).reduce((all, [anchor, kind]) => all.set(anchor, [...(all.get(anchor) ?? []), kind]), new Map<string, SecretKind[]>());

/** What stands before a word without being part of it, though it ends in a letter: an escape of a string, of a URL, of a terminal, also written out. */
const ESC = String.fromCharCode(27);
const ANY_ESC = `(?:${ESC}|\\\\(?:x1b|u001b|033|e))`;
const ESCAPE = new RegExp(
  `(?:\\\\[nrtbfv0]|\\\\x[0-9a-f]{2}|\\\\u[0-9a-f]{4}|%[0-9a-f]{2}|${ANY_ESC}(?:\\[[0-9;]{0,12}[a-z]|\\([a-z0-9]))$`,
  'i',
);
const ESCAPE_BEGINS = new RegExp(`[\\\\%${ESC}]`);

const startsWord = (text: string, at: number): boolean => {
  const before = text[at - 1];
  if (before === undefined || !/[A-Za-z0-9]/.test(before)) return true;
  const near = text.slice(Math.max(0, at - 24), at);
  return ESCAPE_BEGINS.test(near) && ESCAPE.test(near);
};

/** Characters of a text that is a secret whatever it looks like; a shorter one stands in too many places by chance. */
const MIN_KNOWN_CHARACTERS = 12;

const findKnown = (text: string, from: number, known: readonly string[], into: FoundSecret[]): void => {
  for (const secret of known.filter(({ length }) => length >= MIN_KNOWN_CHARACTERS)) {
    for (let at = text.indexOf(secret, from); at !== -1; at = text.indexOf(secret, at + 1)) {
      const end = at + secret.length;
      if (startsWord(text, at) && !/\w/.test(text.charAt(end))) into.push({ start: at, end, kind: 'known' });
    }
  }
};

/** Where a token ends that a private key follows at once: most kinds take its dashes for their own. */
const beforeKey = (text: string, start: number, end: number): number => {
  const place = text.slice(start, end + 1).indexOf(KEY_ANCHOR);
  return place === -1 ? end : start + place;
};

const tryKind = (
  { kind, pattern, leading, accepts, startsWord: atStart }: SecretKind,
  text: string,
  at: number,
): FoundSecret | undefined => {
  if (atStart && !startsWord(text, at)) return undefined;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const before = leading?.exec(text.slice(Math.max(0, at - 16), at))?.[0];
  const [start, matchEnd] = match.indices?.[1] ?? [at - (before?.length ?? 0), at + match[0].length];
  const end = beforeKey(text, start, matchEnd);
  if (leading !== undefined && (before === undefined || !startsWord(text, start))) return undefined;
  const secret = text.slice(start, end);
  return (accepts === undefined ? looksRandom(secret) : accepts(secret, text, start)) ? { start, end, kind } : undefined;
};

const findTokens = (text: string, from: number, into: FoundSecret[]): void => {
  for (const [anchor, kinds] of BY_ANCHOR) {
    for (let next, at = text.indexOf(anchor); at !== -1; at = text.indexOf(anchor, next)) {
      next = at + 1;
      for (const kind of kinds) {
        const found = tryKind(kind, text, at);
        if (found === undefined || found.start < from) continue;
        into.push(found);
        if (found.start <= at) next = Math.max(next, found.end);
      }
    }
  }
};

const findKeys = (text: string, from: number, continued: boolean, into: FoundSecret[]): OpenKey | undefined => {
  let at = continued ? from : text.indexOf(KEY_ANCHOR, from);
  for (let carriesOn = continued; at !== -1;) {
    const key = findPrivateKey(text, at, { continued: carriesOn });
    const end = key?.holdsKey ? key.end : at;
    if (end > at) into.push({ start: at, end, kind: 'private-key' });
    if (key?.state === 'open') return { at, continued: carriesOn };
    if (key?.state === 'limited' && end >= text.length) return { at: end, continued: true };
    at = key?.state === 'limited' ? end : text.indexOf(KEY_ANCHOR, carriesOn ? end : Math.max(end, at + 1));
    carriesOn = key?.state === 'limited';
  }
  return undefined;
};

/**
 * The secrets of a text that begin at `from` or later, in order; those that overlap are one. What stands before `from` is looked at as
 * surroundings only. `continued`: a private key that was cut goes on at `from`. `known`: secrets of this very program, whatever their shape. Linear in the length of the text.
 */
export function findSecrets(text: string, { from = 0, continued = false, known = [] as readonly string[] } = {}): SecretSearch {
  const found: FoundSecret[] = [];
  const openKey = findKeys(text, from, continued, found);
  findTokens(text, from, found);
  findKnown(text, from, known, found);
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  const secrets: FoundSecret[] = [];
  for (const secret of found) {
    const last = secrets.at(-1);
    if (last === undefined || secret.start >= last.end) secrets.push(secret);
    else if (secret.end > last.end) secrets[secrets.length - 1] = { ...last, end: secret.end };
  }
  return { secrets, openKey };
}
