import { useMemo } from 'react';
import { CallCard, SessionProvider } from '@codelab/ui';
import { Icon } from '../../parts/icons.js';
import { Loading } from '../../parts/list-view.js';
import { Page } from '../../parts/page.js';
import { Tag } from '../../parts/tag.js';
import { TroubleBox } from '../../parts/trouble-box.js';
import { Until } from '../../parts/when.js';
import type { WaitingCall } from '../../rest/approvals.js';
import { nameOf, sessionPath } from '../../rest/sessions.js';
import { Link } from '../../router/link.js';
import { toCallItem, waitingCallPort } from './waiting-call-port.js';
import { useWaitingCalls } from './waiting-calls.js';

/** Everything that waits for a decision, whichever session asks. */
export function ApprovalsPage() {
  const { calls, trouble } = useWaitingCalls();
  return (
    <Page
      title="Approvals"
      about="Calls that wait for you, those of the session used last first. What you decide counts wherever the session is open."
    >
      {trouble && <TroubleBox trouble={trouble} />}
      {calls === undefined && !trouble && <Loading />}
      {calls?.length === 0 && (
        <div className="co-empty">
          <Icon name="approvals" size={28} />
          <h2>Nothing waits for you</h2>
          <p>When an agent wants to do something that needs a decision, it shows here at once.</p>
        </div>
      )}
      {calls !== undefined && calls.length > 0 && (
        <ul className="co-inbox">
          {calls.map((call) => (
            <li key={`${call.session_id} ${call.call_id} ${call.args_sha256}`}>
              <InboxEntry call={call} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

function InboxEntry({ call }: { call: WaitingCall }) {
  const fingerprint = JSON.stringify(call); // the list comes anew with each change of any of them
  const port = useMemo(() => waitingCallPort(JSON.parse(fingerprint) as WaitingCall), [fingerprint]);
  const item = useMemo(() => toCallItem(JSON.parse(fingerprint) as WaitingCall), [fingerprint]);
  const { expires_at_ms: expiresAtMs } = call.approval ?? {};
  return (
    <article className="co-inbox-entry" aria-label={`${call.tool_name} in ${nameOf(call)}`}>
      <header>
        <Link to={sessionPath(call.session_id)}>{nameOf(call)}</Link>
        {call.workspace?.name !== undefined && <span className="co-muted">{call.workspace.name}</span>}
        {!call.executor_connected && <Tag tone="warn">its client is away: runs when it is back</Tag>}
        {expiresAtMs !== undefined && (
          <span className="co-deadline">
            expires <Until atMs={expiresAtMs} />
          </span>
        )}
      </header>
      <SessionProvider port={port}>
        <CallCard call={item} />
      </SessionProvider>
    </article>
  );
}
