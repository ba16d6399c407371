import type { CloseName, Refusal } from '@codelab/protocol';
import { refusalOf } from '../connection/refusals.js';
import { isStoreAway } from '../is-store-away.js';
import type { SessionReader } from '../reading/session-reader.js';
import type { Opening } from './open-session.js';

/** One of the ways to open a session. */
export type Open = (opening: Opening) => Promise<SessionReader | Refusal>;

/** What came of opening a session. `close`: the connection ends after the refusal. */
export type Opened =
  | { readonly kind: 'opened'; readonly reader: SessionReader }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly close?: CloseName };

/** Opens a session when it is its turn. Rejects only with a fault of ours. */
export async function tryOpen(opening: Opening, open: Open): Promise<Opened> {
  try {
    const reader = await opening.ports.openings.runExclusive(() => open(opening));
    if (!('ok' in reader)) return { kind: 'opened', reader };
    return { kind: 'refused', refusal: reader, close: reader.code === 'UNSUPPORTED_VERSION' ? 'VERSION' : undefined };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return { kind: 'refused', refusal, close: isStoreAway(error) ? 'REDIS_AWAY' : undefined };
  }
}
