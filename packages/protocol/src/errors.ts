/** An entry of the table of frame errors. `retryable`: the same frame may succeed later. */
export interface ErrorEntry {
  readonly retryable: boolean;
  readonly meaning: string;
}

/** Codes of the `error` frame. The connection lives on after each of them, except FRAME_TOO_LARGE (G2). */
export const ERRORS = {
  INVALID_FORMAT: { retryable: false, meaning: 'The message is not JSON, not an object, or nested deeper than 64 levels.' },
  INVALID_TYPE: { retryable: false, meaning: 'There is no client frame of this `type`.' },
  MISSING_FIELD: { retryable: false, meaning: 'A required field is absent or null.' },
  INVALID_FIELD: { retryable: false, meaning: 'A field has a value that it cannot have.' },
  FRAME_TOO_LARGE: {
    retryable: false,
    meaning: 'The message is over 10 MB (8 KB before authentication). The connection closes with 1009.',
  },
  UNAUTHORIZED: { retryable: false, meaning: 'Authenticate first.' },
  TOKEN_INVALID: { retryable: false, meaning: 'The token is not known here.' },
  TOKEN_EXPIRED: { retryable: false, meaning: 'The token has expired. Get a new one and reconnect.' },
  FORBIDDEN: { retryable: false, meaning: 'This client or token may not do that.' },
  SESSION_NOT_FOUND: { retryable: false, meaning: 'There is no such session, or it is not yours.' },
  SESSION_EXPIRED: { retryable: false, meaning: 'The session was removed after its time.' },
  UNSUPPORTED_VERSION: { retryable: false, meaning: 'None of the protocol versions offered is spoken here.' },
  UNKNOWN_CALL: { retryable: false, meaning: 'No call of this session has this `call_id`.' },
  UNKNOWN_TURN: { retryable: false, meaning: 'No such turn runs in this session.' },
  ALREADY_RESOLVED: { retryable: false, meaning: 'It was decided, started or answered before. Nothing changed.' },
  EXPIRED: { retryable: false, meaning: 'The time for this decision is over.' },
  DIGEST_MISMATCH: {
    retryable: false,
    meaning: 'The decision names other arguments than those of the call, or an earlier question. Nothing was decided.',
  },
  INVALID_ARGUMENTS: { retryable: false, meaning: 'The edited arguments do not fit the tool. The call still waits.' },
  DENIED_BY_POLICY: { retryable: false, meaning: 'A policy denies what was asked for, whoever approves.' },
  BUSY: { retryable: true, meaning: 'A turn runs and the message said `when_busy: reject`.' },
  QUEUE_FULL: { retryable: true, meaning: '32 messages wait already. Nothing was stored.' },
  UNKNOWN_MESSAGE: { retryable: false, meaning: 'No message of this id waits.' },
  OVERLOADED: { retryable: true, meaning: 'A queue is full; nothing was stored. Retry with jittered backoff.' },
  QUOTA: {
    retryable: false,
    meaning:
      'You, or your tenant, store as much as may be stored; nothing was stored. The message says what to delete. Send it again then.',
  },
  SLOW_READER: { retryable: true, meaning: 'This connection reads more slowly than the session writes; a snapshot follows.' },
  RATE_LIMITED: { retryable: true, meaning: 'Too many requests in a short time. Retry with jittered backoff.' },
  UNAVAILABLE: { retryable: true, meaning: 'A part of the service is away; nothing was stored. Send the frame again.' },
  TURN_FAILED: { retryable: true, meaning: 'The turn ended without an answer.' },
  CANCELLED: { retryable: false, meaning: 'The turn was cancelled.' },
  INTERNAL: { retryable: false, meaning: 'A fault of the service. It is logged there.' },
} as const satisfies Record<string, ErrorEntry>;

/** A code of the `error` frame. */
export type ErrorCode = keyof typeof ERRORS;

/** What decoding and handling return instead of throwing. */
export interface Refusal {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
  /** `call_id`, `message_id` or `turn_id` of the frame that is refused. */
  readonly replyTo?: string;
  /** `type` of that frame. */
  readonly replyToType?: string;
}

/** A refusal as a value. */
export const refuse = (code: ErrorCode, message: string, replyTo?: string): Refusal => ({
  ok: false,
  code,
  message,
  replyTo,
});
