import { ChoiceField, Filters, SearchField } from '../../parts/filters.js';
import { ListView, Table, type Column } from '../../parts/list-view.js';
import { Page } from '../../parts/page.js';
import { Tag, type Tone } from '../../parts/tag.js';
import { toClockTime, toDateTime } from '../../parts/format.js';
import { useList } from '../../resource/use-list.js';
import { sessionPath } from '../../rest/sessions.js';
import { Link } from '../../router/link.js';

type Outcome =
  | 'allowed'
  | 'asked'
  | 'denied'
  | 'approved'
  | 'edited'
  | 'rejected'
  | 'expired'
  | 'cancelled'
  | 'rule_created'
  | 'rule_removed';

interface AuditEntry {
  readonly at_ms: number;
  readonly session_id?: string;
  readonly call_id?: string;
  readonly tool_name?: string;
  readonly target?: string;
  readonly outcome: Outcome;
  readonly by: string;
  readonly reason?: string;
  readonly origin?: 'proxy' | 'task';
}

const TONES: Readonly<Record<Outcome, Tone>> = {
  allowed: 'plain',
  asked: 'ask',
  denied: 'bad',
  approved: 'good',
  edited: 'good',
  rejected: 'bad',
  expired: 'warn',
  cancelled: 'plain',
  rule_created: 'accent',
  rule_removed: 'accent',
};
const OUTCOMES = [['', 'any'], ...Object.keys(TONES).map((each) => [each, each.replace('_', ' ')] as const)] as const;

const COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'When', show: ({ at_ms: atMs }) => <time title={toDateTime(atMs)}>{toClockTime(atMs)}</time> },
  { name: 'Outcome', show: ({ outcome }) => <Tag tone={TONES[outcome] ?? 'plain'}>{outcome.replace('_', ' ')}</Tag> },
  { name: 'Tool', show: ({ tool_name: tool }) => (tool === undefined ? '' : <code>{tool}</code>) },
  {
    name: 'What',
    wide: true,
    show: ({ target, reason }) => (
      <>
        {target !== undefined && <code className="co-target">{target}</code>}
        {reason !== undefined && <span className="co-muted co-reason">{reason}</span>}
      </>
    ),
  },
  { name: 'By', show: ({ by, origin }) => (origin === undefined ? by : `${by} (${origin === 'proxy' ? 'program' : 'sub-agent'})`) },
  {
    name: 'Session',
    minor: true,
    show: ({ session_id: id }) => (id === undefined ? '' : <Link to={sessionPath(id)}>{id}</Link>),
  },
];

/** Who decided what; the gateway looks for words and outcomes. */
export function AuditPage({ query }: { query: Readonly<Record<string, string>> }) {
  const { session_id: session = '', outcome = '', query: words = '' } = query;
  const list = useList<AuditEntry, 'entries'>('/api/v1/audit', 'entries', { limit: 100, session_id: session, outcome, query: words });
  return (
    <Page
      title="Audit"
      about="Who allowed, asked, denied, approved or rejected what, newest first. Rows say what was done to, never with which content."
      wide
    >
      <Filters label="Audit">
        <SearchField name="query" label="Search tools, targets, reasons and names" value={words} />
        <ChoiceField name="outcome" label="Outcome" value={outcome} choices={OUTCOMES} />
        <SearchField name="session_id" label="Session id" value={session} />
      </Filters>
      <ListView list={list} empty={<p>Nothing that matches{list.more ? ' so far: older rows may' : ''}.</p>}>
        {(items) => (
          <Table
            label="Audit"
            columns={COLUMNS}
            items={items}
            keyOf={({ at_ms: atMs, call_id: id = '' }, index) => `${atMs} ${id} ${index}`}
          />
        )}
      </ListView>
    </Page>
  );
}
