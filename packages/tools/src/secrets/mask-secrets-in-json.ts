import { findSecrets, type FoundSecret } from './find-secrets.js';
import { findJsonStrings, RawIndex, type JsonString } from './json-strings.js';
import { maskSecrets, uniqueSecrets, type MaskedSecret, type MaskedText } from './mask-secrets.js';
import { fingerprintOf, formatMask } from './mask.js';

/** The part of a string that a mask stands for. */
interface Piece {
  readonly string: JsonString;
  readonly start: number;
  readonly end: number;
}

/** A long line of a private key, or one of its borders: a string between such ones that is neither belongs to the JSON, not to the key. */
const OF_KEY = /[A-Za-z0-9+/]{40}|-----(?:BEGIN|END) /;
/** The last line of a private key, and the check sum of PGP. */
const SHORT_LINE = /^[A-Za-z0-9+/]*={0,2}$/;

/** How base64 of an image (PNG, JPEG, GIF, WebP) or a PDF file begins, and from how many characters on a string is taken for one. */
const MEDIA = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0)[A-Za-z0-9+/]*={0,2}$/;
const MEDIA_CHARACTERS = 256;

/** In megabytes of noise there are words that look like a key, and an image without them is none any more. */
const isMedia = (value: string): boolean => value.length >= MEDIA_CHARACTERS && MEDIA.test(value);

/** The strings that a secret lies in: one, and of a private key that was cut into lines each that holds a line. */
const piecesOf = (
  { start, end }: FoundSecret,
  strings: readonly JsonString[],
  starts: readonly number[],
  first: number,
): readonly Piece[] => {
  const pieces: Piece[] = [];
  for (let index = first; index < strings.length && starts[index]! < end; index += 1) {
    const string = strings[index]!;
    const offset = starts[index]!;
    const piece = { string, start: Math.max(0, start - offset), end: Math.min(string.value.length, end - offset) };
    if (piece.start < piece.end) pieces.push(piece);
  }
  if (pieces.length < 2) return pieces;
  return pieces.filter(({ string: { value } }, index) => {
    const next = pieces[index + 1]?.string.value;
    return OF_KEY.test(value) || (next?.includes('-----END ') === true && SHORT_LINE.test(value));
  });
};

/**
 * {@link maskSecrets} for the strings of a JSON text, however they are escaped: it stays valid JSON, and beside the secrets it stays as it
 * is, byte for byte. Images are left alone. The lines of a private key are found in strings of their own, too. A text that is no JSON is masked as a text.
 */
export function maskSecretsInJson(json: string, allowed: ReadonlySet<string>, known: readonly string[] = []): MaskedText {
  const strings = findJsonStrings(json);
  if (strings === undefined) return maskSecrets(json, allowed, known);
  const values = strings.map(({ value }) => (isMedia(value) ? ' '.repeat(value.length) : value)).join('\n');
  const { secrets } = findSecrets(values, { known });
  if (secrets.length === 0) return { text: json, found: [] };
  const starts = startsOf(strings);
  const raw = new RawIndex(json);
  const found: MaskedSecret[] = [];
  const parts: string[] = [];
  let position = 0;
  let first = 0;
  for (const secret of secrets) {
    while (starts[first + 1] !== undefined && starts[first + 1]! <= secret.start) first += 1;
    const fingerprint = fingerprintOf(values.slice(secret.start, secret.end));
    if (allowed.has(fingerprint)) continue;
    found.push({ kind: secret.kind, fingerprint });
    for (const { string, start, end } of piecesOf(secret, strings, starts, first)) {
      parts.push(json.slice(position, raw.of(string, start)), formatMask(secret.kind, fingerprint));
      position = raw.of(string, end);
    }
  }
  return { text: parts.length === 0 ? json : parts.join('') + json.slice(position), found: uniqueSecrets(found) };
}

const startsOf = (strings: readonly JsonString[]): readonly number[] => {
  let next = 0;
  return strings.map(({ value }) => {
    const start = next;
    next += value.length + 1;
    return start;
  });
};
