import { refuse } from '@codelab/protocol';
import { RefusedRequest } from './refused-request.js';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;

/** Which part of a list is asked for. */
export interface Page {
  /** Where the part before ended; absent for the first. */
  readonly cursor?: number;
  readonly limit: number;
}

/** Reads a whole number out of a query. Throws `RefusedRequest`. */
export const readNumber = (name: string, text: string | undefined, least: number, most: number): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new RefusedRequest(refuse('INVALID_FIELD', `${name}: a whole number from ${String(least)} to ${String(most)}`));
};

/** Reads `?cursor=&limit=`. Throws `RefusedRequest`. */
export function readPage({ cursor, limit }: { readonly cursor?: string; readonly limit?: string }): Page {
  const from = readNumber('cursor', cursor, 0, Number.MAX_SAFE_INTEGER);
  return { limit: readNumber('limit', limit, 1, MAX_LIMIT) ?? DEFAULT_LIMIT, cursor: from };
}
