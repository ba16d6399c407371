import type { LoggedFrame } from '@codelab/bus';
import type { Refusal, ServerFrameOf } from '@codelab/protocol';

/** A frame for the asker alone. */
export type AnswerFrame = ServerFrameOf<'message_accepted'> | ServerFrameOf<'tool_result_ack'>;

/** What answers a frame: a frame for the asker alone, one of the log that it gets in its place, or nothing (G2). */
export type Answer =
  | { readonly kind: 'frame'; readonly frame: AnswerFrame }
  | { readonly kind: 'logged'; readonly frame: LoggedFrame }
  | { readonly kind: 'none' };

/** What came of a frame. A store that is away is thrown as `BusError`: nothing happened then. */
export type Outcome = { readonly ok: true; readonly answer: Answer } | Refusal;

/** A frame that is evidence, not a question. */
export const NO_ANSWER: Outcome = { ok: true, answer: { kind: 'none' } };

export const answerFrame = (frame: AnswerFrame): Outcome => ({
  ok: true,
  answer: { kind: 'frame', frame },
});

export const answerLogged = (frame: LoggedFrame): Outcome => ({ ok: true, answer: { kind: 'logged', frame } });
