import { useEffect, useState } from 'react';
import { SessionHeader, SessionProvider, SessionScreen } from '@codelab/ui';
import { Icon } from '../../parts/icons.js';
import { Loading } from '../../parts/list-view.js';
import { Page } from '../../parts/page.js';
import { TroubleBox } from '../../parts/trouble-box.js';
import { useResource } from '../../resource/use-resource.js';
import type { Trouble } from '../../rest/ask.js';
import { nameOf, readSession, type SessionInfo } from '../../rest/sessions.js';
import { Link } from '../../router/link.js';
import { useTitle } from '../../shell/document-title.js';
import { observeSession } from './observed-session.js';
import { useSessionFacts } from './session-facts.js';

const REFRESH_MS = 10_000;

/** One session: watched live, spoken to, decided for. */
export function SessionPage({ sessionId }: { sessionId: string }) {
  const info = useResource<SessionInfo>(`session ${sessionId}`, () => readSession(sessionId), { everyMs: REFRESH_MS });
  if (info.value) return <OpenSession sessionId={sessionId} info={info.value} />;
  return (
    <Page title="Session" actions={<BackLink />}>
      {info.trouble ? <TroubleBox trouble={explain(info.trouble)} onRetry={info.reload} /> : <Loading />}
    </Page>
  );
}

const explain = (trouble: Trouble): Trouble =>
  trouble.status === 404 ? { ...trouble, message: 'You have no session of this name.' } : trouble;

function OpenSession({ sessionId, info }: { sessionId: string; info: SessionInfo }) {
  useTitle(nameOf(info));
  const [session] = useState(() => observeSession(sessionId)); // another session is another component, by its key
  useEffect(() => session.start(), [session]);
  useSessionFacts(session, info);
  return (
    <main className="co-session">
      <SessionProvider port={session.port}>
        <SessionScreen header={<SessionBar info={info} />} />
      </SessionProvider>
    </main>
  );
}

function SessionBar({ info: { session_id: id, workspace } }: { info: SessionInfo }) {
  return (
    <div className="co-session-bar">
      <BackLink />
      <SessionHeader />
      {workspace?.name !== undefined && (
        <span className="co-muted co-minor co-folder">
          <Icon name="laptop" size={14} /> {workspace.name}
        </span>
      )}
      <Link to={`/audit?session_id=${encodeURIComponent(id)}`} className="cl-button cl-button--plain co-minor">
        <Icon name="audit" size={14} /> Audit
      </Link>
    </div>
  );
}

const BackLink = () => (
  <Link to="/sessions" className="co-icon-button" aria-label="All sessions" title="All sessions">
    <Icon name="back" />
  </Link>
);
