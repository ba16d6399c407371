import { createHash } from 'node:crypto';

/** Characters of a fingerprint: enough that two secrets of a person never share one. */
const FINGERPRINT_CHARACTERS = 12;

const MASK = /\[secret [a-z0-9-]{1,40} ([0-9a-f]{12})\]/;

/** Names a secret without telling it: the beginning of its SHA-256 in hex. */
export const fingerprintOf = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, FINGERPRINT_CHARACTERS);

/** What stands in the place of a secret: `[secret github-token 0123456789ab]`. */
export const formatMask = (kind: string, fingerprint: string): string => `[secret ${kind} ${fingerprint}]`;

/** The fingerprint of the first mask in a text; `undefined` if it has none. */
export const findMask = (text: string): string | undefined => MASK.exec(text)?.[1];

/** What a model reads whose write would put a mask where a secret was. */
export const explainMask = (path: string, fingerprint: string): string =>
  `${path}: the content holds a mask "[secret … ${fingerprint}]", which stands for a secret that was hidden from you; writing it would ` +
  'destroy the secret. Nothing was written. Change other lines only, with apply_patch and without masked lines in its hunks, ' +
  `or ask the user to allow the secret with the fingerprint ${fingerprint}`;
