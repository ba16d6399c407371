import type { SessionCalls } from '@codelab/bus';
import { refuseEvidence, type Handler } from './handler.js';
import { NO_ANSWER } from './outcome.js';

/** Notes how far the executor has come with a call (R2). */
export const handleToolAck =
  (store: SessionCalls): Handler<'tool_ack'> =>
  async ({ call_id: callId, fence, state }, caller) => {
    const { clientId } = caller;
    const isNoted = await store.acknowledge(caller.session, { callId, fence, state, clientId });
    return isNoted ? NO_ANSWER : refuseEvidence(caller, callId);
  };
