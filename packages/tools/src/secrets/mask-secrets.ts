import { findSecrets } from './find-secrets.js';
import { fingerprintOf, formatMask } from './mask.js';

/** A secret that was masked. */
export interface MaskedSecret {
  readonly kind: string;
  readonly fingerprint: string;
}

/** A text without its secrets, and what was taken out, in order; each secret once. */
export interface MaskedText {
  readonly text: string;
  readonly found: readonly MaskedSecret[];
}

/** Each secret once, by fingerprint. */
export const uniqueSecrets = (found: readonly MaskedSecret[]): readonly MaskedSecret[] => [
  ...new Map(found.map((secret) => [secret.fingerprint, secret])).values(),
];

/**
 * Puts a mask in the place of every secret that is known by its shape (L1), except for those whose fingerprint is in `allowed`. A text
 * without secrets comes back as it is.
 *
 * @param known secrets that have no shape, such as the token that this program presents
 */
export function maskSecrets(text: string, allowed: ReadonlySet<string>, known: readonly string[] = []): MaskedText {
  const { secrets } = findSecrets(text, { known });
  if (secrets.length === 0) return { text, found: [] };
  const found: MaskedSecret[] = [];
  const parts: string[] = [];
  let position = 0;
  for (const { start, end, kind } of secrets) {
    const fingerprint = fingerprintOf(text.slice(start, end));
    if (allowed.has(fingerprint)) continue;
    found.push({ kind, fingerprint });
    parts.push(text.slice(position, start), formatMask(kind, fingerprint));
    position = end;
  }
  return { text: parts.length === 0 ? text : parts.join('') + text.slice(position), found: uniqueSecrets(found) };
}
