import type { Owner, SessionRef } from '@codelab/bus';
import type { Refusal } from '@codelab/protocol';
import type { Identity } from '@codelab/auth';
import type { SessionReader } from '../reading/session-reader.js';
import type { GatewayStats } from '../stats.js';

/** A connection that has its place in a session. */
export interface OpenState {
  readonly kind: 'open';
  readonly identity: Identity;
  readonly session: SessionRef;
  readonly reader: SessionReader;
  /** Absent for a seed client. */
  readonly clientId?: string;
}

/** What a connection is, from its first byte to its last. A state owns the timer that means something only in it. */
export type ConnectionState =
  | {
      readonly kind: 'authenticating';
      readonly sessionId: string;
      readonly onAuthenticated: (() => void) | undefined;
      readonly claim: ((owner: Owner) => Refusal | undefined) | undefined;
      readonly cancel: () => void;
    }
  /** Nothing of the session is sent before the first frame, or before the silence that stands for one. */
  | { readonly kind: 'awaiting'; readonly identity: Identity; readonly session: SessionRef; readonly cancel: () => void }
  | OpenState
  | { readonly kind: 'closed' };

/** Counts a connection in its state, or out of it. */
export function countState({ connections }: Pick<GatewayStats, 'connections'>, state: ConnectionState, change: 1 | -1): void {
  if (state.kind === 'authenticating') connections.unauthenticated += change;
  if (state.kind === 'awaiting') connections.awaiting += change;
  if (state.kind === 'open') connections[state.clientId === undefined ? 'seed' : 'hello'] += change;
}

/** Leaves one state for the next. */
export function changeState(stats: Pick<GatewayStats, 'connections'>, from: ConnectionState, to: ConnectionState): ConnectionState {
  if ('cancel' in from) from.cancel();
  countState(stats, from, -1);
  countState(stats, to, 1);
  return to;
}
