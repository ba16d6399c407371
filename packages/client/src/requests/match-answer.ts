import type { ClientFrameType, ErrorCode, ServerFrame, ServerFrameOf } from '@codelab/protocol';

/** The requests that a client makes and that are answered (G2). */
export type RequestKind = 'message' | 'result' | 'decision' | 'cancel' | 'queue' | 'agent';

/** What identifies a request on the wire: the `message_id`, `call_id` or `turn_id`; a cancel without turn and a switch have none. */
export interface RequestKey {
  readonly kind: RequestKind;
  readonly id?: string;
}

const ANSWERS: { readonly [Kind in RequestKind]: (frame: ServerFrame, id: string | undefined) => boolean } = {
  message: (frame, id) => frame.type === 'message_accepted' && frame.message_id === id,
  result: (frame, id) => frame.type === 'tool_result_ack' && frame.call_id === id,
  decision: (frame, id) =>
    (frame.type === 'approval_resolved' && frame.call_id === id) ||
    (frame.type === 'tool_call' && frame.call_id === id && frame.state !== 'waiting_approval'),
  cancel: (frame, id) => frame.type === 'turn_ended' && (id === undefined || frame.turn_id === id),
  queue: (frame, id) =>
    frame.type === 'queue_updated' &&
    ![...frame.queue, ...(frame.steering ?? [])].some((item) => (item as { readonly message_id?: unknown }).message_id === id),
  agent: (frame) => frame.type === 'agent_switched' && frame.from === undefined,
};

/** Whether a frame is the good answer of a request. */
export const isAnswer = (request: RequestKey, frame: ServerFrame): boolean => ANSWERS[request.kind](frame, request.id);

/** Codes that only one kind of request is refused with, where another request may have the same id. */
const ONLY_FOR: Partial<Record<ErrorCode, readonly RequestKind[]>> = {
  ALREADY_RESOLVED: ['decision', 'queue'],
  EXPIRED: ['decision'],
  DIGEST_MISMATCH: ['decision'],
  INVALID_ARGUMENTS: ['decision'],
  DENIED_BY_POLICY: ['decision'],
  UNKNOWN_MESSAGE: ['queue'],
  UNKNOWN_TURN: ['cancel'],
  BUSY: ['message'],
  QUEUE_FULL: ['message'],
};

/** The frame that makes a request. */
const FRAME_OF: Readonly<Record<RequestKind, ClientFrameType>> = {
  message: 'user_message',
  result: 'tool_result',
  decision: 'hitl_decision',
  cancel: 'cancel',
  queue: 'queue_remove',
  agent: 'switch_agent',
};

/** Codes of errors that answer no request: news of the session or of the connection. */
const NEWS: ReadonlySet<ErrorCode> = new Set([
  'SLOW_READER',
  'TURN_FAILED',
  'CANCELLED',
  'INVALID_FORMAT',
  'INVALID_TYPE',
  'FRAME_TOO_LARGE',
]);

/**
 * The request that an `error` refuses: the oldest one of its id that was made by a frame of its `reply_to_type`, since a gateway answers in
 * order. A gateway that names no type leaves its code to tell. Requests without an id are refused by an `error` without `reply_to`.
 */
export function findRefused<Request extends RequestKey>(requests: Iterable<Request>, error: ServerFrameOf<'error'>): Request | undefined {
  if (NEWS.has(error.code)) return undefined;
  for (const request of requests) {
    if (request.id !== error.reply_to) continue;
    if (error.reply_to_type !== undefined && error.reply_to_type !== FRAME_OF[request.kind]) continue;
    if (ONLY_FOR[error.code]?.includes(request.kind) ?? true) return request;
  }
  return undefined;
}
