import type { SessionCalls } from '@codelab/bus';
import { maskSecrets } from '@codelab/tools';
import { encodeServerFrame } from '../delivery/encode-server-frame.js';
import { refuseEvidence, type Handler } from './handler.js';
import { NO_ANSWER } from './outcome.js';

const NOTHING_ALLOWED: ReadonlySet<string> = new Set();

/**
 * Shows every approver what the executor would do, and keeps it for those who come later. Secrets in files that it shows are masked (L1); what
 * is decided on is the digest of the arguments and of the files, which stay what they are (H2).
 */
export const handleToolPreview =
  (store: SessionCalls): Handler<'tool_preview'> =>
  async ({ call_id: callId, preview, operands = [] }, caller) => {
    const { clientId } = caller;
    const { text } = maskSecrets(preview.text, NOTHING_ALLOWED);
    const frame = encodeServerFrame({ type: 'approval_updated', call_id: callId, preview: { ...preview, text }, operands });
    const isShown = await store.showPreview(caller.session, { callId, frame, clientId });
    return isShown ? NO_ANSWER : refuseEvidence(caller, callId);
  };
