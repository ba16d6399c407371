import type { SessionStore } from '@codelab/bus';
import { encodeServerFrame } from '../session/encode-server-frame.js';
import { NO_ANSWER, type Handler } from './handler.js';
import { refuseEvidence } from './refuse-evidence.js';

/** Shows every approver what the executor would do, and keeps it for those who come later. */
export const handleToolPreview =
  (store: SessionStore): Handler<'tool_preview'> =>
  async ({ call_id: callId, preview, operands = [] }, caller) => {
    const { clientId } = caller;
    const frame = encodeServerFrame({ type: 'approval_updated', call_id: callId, preview, operands });
    const isShown = await store.showPreview(caller.session, { callId, frame, ...(clientId === undefined ? {} : { clientId }) });
    return isShown ? NO_ANSWER : refuseEvidence(caller, callId);
  };
