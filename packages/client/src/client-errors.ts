import type { ErrorCode } from '@codelab/protocol';
import type { ClosedReason } from './connection/connection-state.js';

/** A request was answered by an `error` frame, or refused before it was sent because the gateway would have to refuse it. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly retryable: boolean,
    /** Nothing was sent, so no frame tells of it. */
    readonly unsent = false,
  ) {
    super(message);
  }
}

/** The connection is over for good; requests that had no answer yet fail with it. */
export class ConnectionClosedError extends Error {
  override readonly name = 'ConnectionClosedError';

  constructor(readonly reason: ClosedReason) {
    super(reason.message);
  }
}
