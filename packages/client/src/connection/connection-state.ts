/** Why a connection is over for good. */
export interface ClosedReason {
  readonly kind:
    /** `close()` was called. */
    | 'closed'
    /** The token is not known, or has expired: 401, 4500, or an `error` before `welcome`. */
    | 'unauthorized'
    /** The token or the origin may not do that: 403, 4501. */
    | 'forbidden'
    /** No session endpoint at this address (404), or the session is being deleted, or no client may join it. */
    | 'not_found'
    /** No common protocol version: 4502. */
    | 'version'
    /** The gateway refuses this client or its frames: 400, 4504, another 4500 and up. */
    | 'refused'
    /** There can be no journal, and without one no call may run. */
    | 'journal';
  /** A sentence for a human: what was refused, where, and what to do. */
  readonly message: string;
}

/** Where the connection stands. */
export type ConnectionState =
  | { readonly kind: 'connecting'; readonly attempt: number }
  /** The socket is open, `hello` is sent, `welcome` is awaited. */
  | { readonly kind: 'authenticating' }
  /** Frames that were missed are coming in, up to `until`. */
  | { readonly kind: 'replaying'; readonly until: number }
  /** Everything up to now is here. `standby`: another process of this machine holds the journal and executes; this one only watches. */
  | { readonly kind: 'live'; readonly executor: 'you' | 'other' | 'none'; readonly standby: boolean }
  | { readonly kind: 'reconnecting'; readonly attempt: number; readonly delayMs: number; readonly why: string }
  | { readonly kind: 'closed'; readonly reason: ClosedReason };
