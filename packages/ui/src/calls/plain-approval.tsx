import type { CallItem } from '@codelab/client/view';
import { usePort } from '../port/session-context.js';
import { CallDetails } from './call-details.js';
import { CallLine } from './call-card.js';

/** A call that waits, with the two answers that every call knows. */
export function PlainApproval({ call }: { readonly call: CallItem }) {
  const port = usePort();
  return (
    <div className="cl-call cl-call--waiting">
      <p className="cl-call__head">
        <CallLine call={call} />
      </p>
      <CallDetails call={call} />
      <p className="cl-call__actions">
        <button
          type="button"
          className="cl-button cl-button--primary"
          onClick={() => void port.decide(call.callId, { decision: 'approve' })}
        >
          Approve
        </button>
        <button type="button" className="cl-button cl-button--bad" onClick={() => void port.decide(call.callId, { decision: 'reject' })}>
          Reject
        </button>
      </p>
    </div>
  );
}
