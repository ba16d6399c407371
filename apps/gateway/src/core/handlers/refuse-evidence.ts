import { refuse, type Refusal } from '@codelab/protocol';
import type { Caller } from '../caller.js';

/** Why the store takes no evidence about a call: it comes from somebody else than the executor, or the call is over. */
export const refuseEvidence = ({ isExecutor }: Caller, callId: string): Refusal =>
  isExecutor
    ? refuse('UNKNOWN_CALL', 'no open call of this session has this call_id and fence', callId)
    : refuse('FORBIDDEN', 'only the executor of the call may say this', callId);
