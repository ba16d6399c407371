import type { SessionStore } from '@codelab/bus';
import { encodeFrame, refuse, type ErrorCode } from '@codelab/protocol';
import { answerFrame, type Handler } from './handler.js';

const WHY: Partial<Record<ErrorCode, string>> = {
  UNKNOWN_CALL: 'no call of this session has this call_id',
  FORBIDDEN: 'the call is executed by another client, or nobody has decided it yet',
  OVERLOADED: 'the session has too much to consume: nothing was stored, send the result again',
};

/** Stores the first answer of a call, and acknowledges out of the store's verdict (G2, R2). */
export const handleToolResult =
  (store: SessionStore): Handler<'tool_result'> =>
  async (frame, { session, clientId, connection }) => {
    const { call_id: callId, fence, error } = frame;
    const settled = await store.settleCall(session, {
      callId,
      connection,
      frame: encodeFrame(frame),
      ...(fence === undefined ? {} : { fence }),
      ...(clientId === undefined ? {} : { clientId }),
      ...(error === undefined ? {} : { errorCode: error.code }),
    });
    if (settled.kind === 'refused') return refuse(settled.code, WHY[settled.code] ?? settled.code, callId);
    return answerFrame({ type: 'tool_result_ack', call_id: callId, outcome: settled.outcome });
  };
