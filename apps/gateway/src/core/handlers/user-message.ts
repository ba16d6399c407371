import { createHash } from 'node:crypto';
import { newId, type SessionDeliveries, type SessionWorkspace } from '@codelab/bus';
import { encodeFrame, ERRORS, refuse, summariseMessage, type ClientFrameOf, type ErrorCode } from '@codelab/protocol';
import { faultOfAgent, type Handler } from './handler.js';
import { answerFrame } from './outcome.js';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** 132 bits of a digest. */
const DIGEST_CHARACTERS = 22;

const WHY: Partial<Record<ErrorCode, string>> = {
  INVALID_FIELD: 'user_message.message_id: another text was sent under this id; give each message an id of its own',
};

/**
 * Stores what the human says. A repeat of a `message_id` gets the answer of the first, and is refused with another text; without an
 * id the repeat is another message.
 */
export const handleUserMessage =
  (store: SessionDeliveries & Pick<SessionWorkspace, 'readFacts'>): Handler<'user_message'> =>
  async (frame, { session, clientId, connection }) => {
    const fault = frame.agent === undefined ? undefined : await faultOfAgent(store, session, frame.agent);
    if (fault !== undefined) return refuse('INVALID_FIELD', `user_message.agent: ${fault}`, frame.message_id);
    const unread = frame.attachments?.find(({ media_type, content = '' }) => media_type !== undefined && !BASE64.test(content));
    if (unread !== undefined) {
      const why = `user_message.attachments: the content of the image ${unread.path} is not base64`;
      return refuse('INVALID_FIELD', why, frame.message_id);
    }
    const sender = clientId === undefined ? { seed: `seed:${connection}` } : {};
    const delivered = await store.deliverMessage(session, { ...toMessage(frame), ...sender });
    if (delivered.kind === 'refused')
      return refuse(delivered.code, WHY[delivered.code] ?? ERRORS[delivered.code].meaning, frame.message_id);
    const { messageId, turnId, state, position } = delivered;
    return answerFrame({
      type: 'message_accepted',
      message_id: messageId,
      turn_id: turnId,
      state,
      position,
    });
  };

/** A message as the store takes it: with an id, whether or not the client gave it one. */
export function toMessage(frame: ClientFrameOf<'user_message'>) {
  const messageId = frame.message_id ?? newId('msg');
  return {
    messageId,
    turnId: newId('turn'),
    frame: encodeFrame(Object.assign(frame, { message_id: messageId })),
    summary: summariseMessage(messageId, frame.content),
    digest: createHash('sha256')
      .update(frame.command === undefined ? frame.content : `${frame.command}\0${frame.content}`)
      .digest('base64url')
      .slice(0, DIGEST_CHARACTERS),
    whenBusy: frame.when_busy ?? 'enqueue',
  } as const;
}
