import { hash } from 'node:crypto';

/** Begins the name of a text that stands elsewhere; no JSON text begins with it. */
const MARK = '@';

/** Below this a text is not worth a place of its own. */
export const MIN_SHARED_BYTES = 512;

/** What a text is stored as where it may be large: its name, or itself. */
export const blobName = (text: string): string => `${MARK}${hash('sha256', text, 'base64url')}`;

/** The same for who knows the digest as hex. */
export const blobNameOf = (sha256: string): string => `${MARK}${Buffer.from(sha256, 'hex').toString('base64url')}`;

export const isBlobName = (stored: string | null | undefined): stored is string => stored?.startsWith(MARK) === true;
