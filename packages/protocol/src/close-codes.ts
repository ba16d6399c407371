/** An entry of the table of close codes. `reconnect`: a client should come back with `resume`. */
export interface CloseEntry {
  readonly code: number;
  readonly reconnect: boolean;
  /** At most 123 bytes: the reason on the wire. */
  readonly reason: string;
}

/** Why a connection ends. 4000 to 4499: reconnect and resume; 4500 to 4999: do not. */
export const CLOSE = {
  NORMAL: { code: 1000, reconnect: false, reason: 'bye' },
  TOO_LARGE: { code: 1009, reconnect: true, reason: 'frame too large' },
  DRAIN: { code: 4000, reconnect: true, reason: 'this replica is going away' },
  HEARTBEAT: { code: 4001, reconnect: true, reason: 'no pong' },
  SLOW: { code: 4002, reconnect: true, reason: 'the reader is too slow' },
  REDIS_AWAY: { code: 4003, reconnect: true, reason: 'the store is away' },
  TOKEN_EXPIRED: { code: 4401, reconnect: true, reason: 'the token expired' },
  UNAUTHORIZED: { code: 4500, reconnect: false, reason: 'not authenticated' },
  FORBIDDEN: { code: 4501, reconnect: false, reason: 'not allowed' },
  VERSION: { code: 4502, reconnect: false, reason: 'no common protocol version' },
  ABUSE: { code: 4504, reconnect: false, reason: 'too many bad frames' },
} as const satisfies Record<string, CloseEntry>;

/** A reason to close a connection. */
export type CloseName = keyof typeof CLOSE;
