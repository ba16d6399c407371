import type { SessionDeliveries } from '@codelab/bus';
import { ERRORS, refuse } from '@codelab/protocol';
import type { Handler } from './handler.js';
import { NO_ANSWER } from './outcome.js';

/** Stops a turn. Refused at once, or answered by the logged `turn_ended`, which follows within a second. */
export const handleCancel =
  (store: SessionDeliveries): Handler<'cancel'> =>
  async ({ turn_id: turnId, queue = false }, { session }) => {
    const requested = await store.requestCancel(session, { queue, turnId });
    return requested.kind === 'cancelling' ? NO_ANSWER : refuse(requested.code, ERRORS[requested.code].meaning, turnId);
  };
