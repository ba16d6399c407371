import type { SessionDeliveries } from '@codelab/bus';
import { ERRORS, refuse } from '@codelab/protocol';
import type { Handler } from './handler.js';
import { answerLogged } from './outcome.js';

/** Takes a waiting message out of the queue. */
export const handleQueueRemove =
  (store: SessionDeliveries): Handler<'queue_remove'> =>
  async ({ message_id: messageId }, { session }) => {
    const removed = await store.removeQueued(session, messageId);
    return removed.kind === 'removed' ? answerLogged(removed.frame) : refuse(removed.code, ERRORS[removed.code].meaning, messageId);
  };
