import type { SessionCalls, SessionDeliveries, SessionRef } from '@codelab/bus';
import { encodeFrame, JsonText, refuse, SERVER_CODES, toEnvelope, type ClientFrameOf, type ErrorCode } from '@codelab/protocol';
import { maskSecrets, maskSecretsInJson } from '@codelab/tools';
import type { OutputMasks } from './output-masks.js';
import type { Handler } from './handler.js';
import { answerFrame } from './outcome.js';

const WHY: Partial<Record<ErrorCode, string>> = {
  UNKNOWN_CALL: 'no call of this session has this call_id',
  FORBIDDEN: 'the call is executed by another client, or nobody has decided it yet: before that only `preview_failed` is taken',
  INVALID_FIELD: 'tool_result.fence: the call has no assignment of this number yet; send the fence of the tool_call frame',
  OVERLOADED: 'the session has too much to consume: nothing was stored, send the result again',
};

/**
 * Stores the first answer of a call, and acknowledges out of the store's verdict (G2, R2). Secrets in it are masked before anything is
 * stored, so that no model, snapshot, history or other client ever sees one that the human at the executor has not allowed (L1).
 */
export const handleToolResult =
  (store: SessionCalls & SessionDeliveries, masks: OutputMasks): Handler<'tool_result'> =>
  async (received, { session, clientId }) => {
    const frame = masked(attributed(received));
    const { call_id: callId, fence, error, preview_failed: isUnasked = false } = frame;
    const settled = await store.settleCall(session, {
      callId,
      frame: encodeFrame(frame),
      fence,
      clientId,
      errorCode: error?.code,
      previewError: isUnasked ? JSON.stringify(error) : undefined,
    });
    if (settled.kind === 'refused') return refuse(settled.code, WHY[settled.code] ?? settled.code, callId);
    await showRest(store, masks, session, callId);
    return answerFrame({ type: 'tool_result_ack', call_id: callId, outcome: settled.outcome });
  };

type Result = ClientFrameOf<'tool_result'>;

/**
 * The result with the words of the executor as the executor's: a code that only servers say would read as a decision that nobody made (H3),
 * and a refusal to take the frame would lose the result (R5).
 */
function attributed(result: Result): Result {
  if (result.error === undefined) return result;
  const { code, message } = result.error;
  if (SERVER_CODES.has(code)) return { ...result, error: { code: 'PERMISSION_DENIED', message: `The client says ${code}: ${message}` } };
  if (code === 'DENIED_BY_POLICY') return { ...result, error: { code, message: `The client's own policy: ${message}` } };
  return result;
}

/** The result as it is stored. One without a secret stays as it came, byte for byte (L3). */
function masked({ allowed_secrets, result, error, ...rest }: Result): Result {
  const allowed = new Set(allowed_secrets);
  return {
    ...rest,
    ...(result === undefined ? {} : { result: new JsonText(maskSecretsInJson(result.text, allowed).text) }),
    ...(error === undefined ? {} : { error: { code: error.code, message: maskSecrets(error.message, allowed).text } }),
  };
}

/** Shows the end of the output that was kept back. It is progress only: who misses it reads the result. */
async function showRest(store: SessionCalls & SessionDeliveries, masks: OutputMasks, session: SessionRef, callId: string): Promise<void> {
  for (const piece of masks.end(session.sid, callId)) {
    await store.relay(session, toEnvelope({ type: 'tool_output', call_id: callId, ...piece })).catch(() => undefined);
  }
}
