import type { ChaosFrame } from '../../recording/chaos-event.js';

/** How a request of a client ended. */
export type Answer =
  | { readonly ok: true; readonly frame: ChaosFrame }
  | { readonly ok: false; readonly code: string; readonly retryable: boolean };

/** A request that is sent again until it is answered: docs/protocol/executor.md#which-frames-to-send-again. */
export interface Ask {
  readonly frame: ChaosFrame;
  readonly id: string;
  readonly answers: (frame: ChaosFrame) => boolean;
  readonly resolve: (answer: Answer) => void;
}

const isFinalEnd = (turnId: string) => (frame: ChaosFrame) => frame.type === 'turn_ended' && frame['turn_id'] === turnId;

/** What answers a frame of a client, and by which of its ids. */
export const answersOf = (frame: ChaosFrame): { readonly id: string; readonly answers: (frame: ChaosFrame) => boolean } => {
  const about = (id: string, type: string, field: string) => ({
    id,
    answers: (answer: ChaosFrame) => answer.type === type && answer[field] === id,
  });
  switch (frame.type) {
    case 'user_message':
      return about(String(frame['message_id']), 'message_accepted', 'message_id');
    case 'hitl_decision':
      return about(String(frame['call_id']), 'approval_resolved', 'call_id');
    case 'cancel':
      return { id: String(frame['turn_id']), answers: isFinalEnd(String(frame['turn_id'])) };
    default:
      throw new Error(`Nothing answers ${frame.type}: send it without waiting.`);
  }
};

/** The refusal in an `error` that answers this frame. */
export const refusalOf = (ask: Ask, frame: ChaosFrame): Answer | undefined =>
  frame.type === 'error' && frame['reply_to_type'] === ask.frame.type && frame['reply_to'] === ask.id
    ? { ok: false, code: String(frame['code']), retryable: frame['retryable'] === true }
    : undefined;
