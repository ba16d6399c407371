import type { SessionDeliveries } from '@codelab/bus';
import { LIMITS, refuse, toEnvelope } from '@codelab/protocol';
import type { OutputMasks } from './output-masks.js';
import type { Handler } from './handler.js';
import { NO_ANSWER } from './outcome.js';

/** Passes the progress of a long tool on to whoever watches, its secrets masked. It is not stored: the result says what counts. */
export const handleToolOutput =
  (store: SessionDeliveries, masks: OutputMasks): Handler<'tool_output'> =>
  async (frame, { session, isExecutor }) => {
    const { call_id: callId, offset, data } = frame;
    if (!isExecutor) return refuse('FORBIDDEN', 'only the executor of the call may say this', callId);
    if (offset + Buffer.byteLength(data) > LIMITS.MAX_OUTPUT_BYTES) {
      return refuse('INVALID_FIELD', 'tool_output.offset: the output of one call is at most 4 MB; keep the rest for the result', callId);
    }
    const piece = masks.push(session.sid, frame);
    if (piece !== undefined) await store.relay(session, toEnvelope({ type: 'tool_output', call_id: callId, ...piece }));
    return NO_ANSWER;
  };
