import { ChoiceField, Filters, SearchField } from '../../parts/filters.js';
import { Icon } from '../../parts/icons.js';
import { ListView, Table, type Column } from '../../parts/list-view.js';
import { Page } from '../../parts/page.js';
import { Tag } from '../../parts/tag.js';
import { Ago } from '../../parts/when.js';
import { useList } from '../../resource/use-list.js';
import { nameOf, sessionPath, type SessionInfo } from '../../rest/sessions.js';
import { Link } from '../../router/link.js';
import { useWaitingCalls } from '../approvals/waiting-calls.js';

const REFRESH_MS = 5_000;
const STATES = [
  ['', 'any'],
  ['running', 'running'],
  ['idle', 'idle'],
] as const;

/** All sessions of this person, the one used last first. */
export function SessionsPage({ query }: { query: Readonly<Record<string, string>> }) {
  const { query: words = '', status = '' } = query;
  const list = useList<SessionInfo, 'sessions'>(
    '/api/v1/sessions',
    'sessions',
    { limit: 50, query: words, status },
    { everyMs: REFRESH_MS },
  );
  const { calls = [] } = useWaitingCalls();
  const waiting = new Map<string, number>();
  for (const { session_id: id } of calls) waiting.set(id, (waiting.get(id) ?? 0) + 1);

  const columns: readonly Column<SessionInfo>[] = [
    { name: 'Session', wide: true, show: (session) => <SessionName session={session} /> },
    { name: 'State', show: (session) => <SessionState session={session} waiting={waiting.get(session.session_id) ?? 0} /> },
    { name: 'Folder', minor: true, show: (session) => <Folder session={session} /> },
    { name: 'Agent', minor: true, show: ({ agent, mode }) => `${agent} · ${mode}` },
    { name: 'Model', minor: true, show: ({ model }) => model || <span className="co-faint">default</span> },
    { name: 'Used', number: true, show: ({ updated_at_ms: atMs }) => (atMs === undefined ? '' : <Ago atMs={atMs} />) },
  ];
  return (
    <Page title="Sessions" about="What agents work on, and what they did. Open one to watch it, steer it and decide for it." wide>
      <Filters label="Sessions">
        <SearchField name="query" label="Search by title, folder or id" value={words} />
        <ChoiceField name="status" label="State" value={status} choices={STATES} />
      </Filters>
      <ListView list={list} empty={words + status === '' ? <NoSessions /> : <p>No session matches.</p>}>
        {(items) => <Table label="Sessions" columns={columns} items={items} keyOf={({ session_id: id }) => id} />}
      </ListView>
    </Page>
  );
}

function SessionName({ session }: { session: SessionInfo }) {
  return (
    <Link to={sessionPath(session.session_id)} className="co-row-link">
      <span className="co-name">{nameOf(session)}</span>
      {session.title && <code className="co-faint">{session.session_id}</code>}
    </Link>
  );
}

/** Where the files are, and whether the client that has them is there. */
function Folder({ session: { workspace, executor_connected: isConnected } }: { session: SessionInfo }) {
  return (
    <>
      {workspace?.name ?? <span className="co-faint">none</span>}
      {isConnected === false && (
        <span className="co-faint" title="The client that has the files is not connected: nothing runs until it is back.">
          {' '}
          · away
        </span>
      )}
    </>
  );
}

/** What goes on: a question first, since nothing else goes on meanwhile. */
function SessionState({ session, waiting }: { session: SessionInfo; waiting: number }) {
  if (waiting > 0) return <Tag tone="ask">{waiting === 1 ? 'asks' : `asks ${waiting} times`}</Tag>;
  if (session.status === 'running') return <Tag tone="accent">running</Tag>;
  if (session.status === 'cancelling') return <Tag tone="warn">stopping</Tag>;
  return <Tag>idle</Tag>;
}

function NoSessions() {
  return (
    <>
      <Icon name="laptop" size={28} />
      <h2>No sessions yet</h2>
      <p>
        A session begins where the files are: run <code>codelab chat</code> in a folder, or open it in an editor. It then shows here.
      </p>
    </>
  );
}
