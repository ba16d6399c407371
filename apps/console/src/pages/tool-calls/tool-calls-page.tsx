import { Filters, SearchField } from '../../parts/filters.js';
import { toBytes, toClockTime, toDateTime, toDuration } from '../../parts/format.js';
import { ListView, Table, type Column } from '../../parts/list-view.js';
import { Page } from '../../parts/page.js';
import { Tag } from '../../parts/tag.js';
import { useList } from '../../resource/use-list.js';
import { sessionPath } from '../../rest/sessions.js';
import { Link } from '../../router/link.js';

interface ToolCall {
  readonly call_id: string;
  readonly tool: string;
  readonly session_id?: string;
  readonly model: string;
  readonly source: string;
  readonly outcome: 'ok' | 'error' | 'handed_over';
  readonly error_code?: string;
  readonly started_at_ms: number;
  readonly duration_ms: number;
  readonly approval_wait_ms?: number;
  readonly bytes_in: number;
  readonly bytes_out: number;
}

const COLUMNS: readonly Column<ToolCall>[] = [
  { name: 'When', show: ({ started_at_ms: atMs }) => <time title={toDateTime(atMs)}>{toClockTime(atMs)}</time> },
  { name: 'Tool', wide: true, show: ({ tool }) => <code>{tool}</code> },
  { name: 'Outcome', show: (call) => <Outcome call={call} /> },
  { name: 'Took', number: true, show: ({ duration_ms: ms }) => toDuration(ms) },
  { name: 'Waited', number: true, minor: true, show: ({ approval_wait_ms: ms }) => (ms === undefined ? '' : toDuration(ms)) },
  { name: 'In', number: true, minor: true, show: ({ bytes_in: bytes }) => toBytes(bytes) },
  { name: 'Out', number: true, minor: true, show: ({ bytes_out: bytes }) => toBytes(bytes) },
  { name: 'Ran at', minor: true, show: ({ source }) => source },
  { name: 'Session', minor: true, show: ({ session_id: id }) => (id ? <Link to={sessionPath(id)}>{id}</Link> : '') },
];

/** Each tool call, without arguments and results: those are nobody's but the session's. */
export function ToolCallsPage({ query }: { query: Readonly<Record<string, string>> }) {
  const { tool = '', session_id: session = '' } = query;
  const list = useList<ToolCall, 'tool_calls'>('/api/v1/tool-calls', 'tool_calls', { limit: 100, tool, session_id: session });
  return (
    <Page title="Tool calls" about="Who called what, how long it took and how it ended, newest first. “Waited”: for a decision." wide>
      <Filters label="Tool calls">
        <SearchField name="tool" label="Tool" value={tool} />
        <SearchField name="session_id" label="Session id" value={session} />
      </Filters>
      <ListView list={list} empty={<p>No call that matches.</p>}>
        {(items) => <Table label="Tool calls" columns={COLUMNS} items={items} keyOf={({ call_id: id }, index) => `${id} ${index}`} />}
      </ListView>
    </Page>
  );
}

function Outcome({ call }: { call: ToolCall }) {
  if (call.outcome === 'ok') return <Tag tone="good">ok</Tag>;
  return call.outcome === 'error' ? <Tag tone="bad">{call.error_code ?? 'error'}</Tag> : <Tag>handed over</Tag>;
}
