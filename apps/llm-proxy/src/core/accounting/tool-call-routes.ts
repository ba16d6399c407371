import { SESSION_ID, TOOL_CALL_CURSOR, type ToolCallLog, type ToolCallRow } from '@codelab/bus';
import type { Exchange, Route } from '../serve/route.js';
import { readCount, readText, whileRedisCounts } from './read-query.js';

const MOST_ROWS = 500;
const USUAL_ROWS = 50;

export interface ToolCallPorts {
  readonly toolCalls: Pick<ToolCallLog, 'read'>;
}

/**
 * `GET /v1/tool-calls?limit=&cursor=&session_id=&tool=`: the tool calls of the caller that the proxy saw, newest first: about the last 10,000
 * of 30 days, `limit` (50, at most 500) at a time, those of one session or tool alone.
 *
 * Answers `{object: "list", data, next_cursor}`; `next_cursor` is null at the end. A row has `call_id`, `tool`, `session_id` (or null),
 * `model`, `round` (of the loop, from 1), `source` (`builtin`, `client`: a foreign tool of the IDE, `http`: by URL, `caller`: handed to the
 * program that asked), `outcome` (`ok`, `error`, `handed_over`), `error_code` (or null), `started_at`, `duration_ms`, `approval_wait_ms` (or
 * null), `bytes_in` (of the arguments) and `bytes_out` (of the result). Arguments and results are not kept.
 */
export const toolCallRoutes = (ports: ToolCallPorts): readonly Route[] => [
  {
    method: 'GET',
    path: '/v1/tool-calls',
    scope: 'tools:list',
    handle: (exchange) => whileRedisCounts(() => listToolCalls(exchange, ports)),
  },
];

async function listToolCalls(exchange: Exchange, { toolCalls }: ToolCallPorts): Promise<void> {
  const {
    caller,
    url: { searchParams: query },
  } = exchange;
  const limit = readCount(query, 'limit', { most: MOST_ROWS, usual: USUAL_ROWS });
  const before = readText(query, 'cursor', TOOL_CALL_CURSOR, 'must be the next_cursor of an answer');
  const sessionId = readText(query, 'session_id', SESSION_ID, 'must be 1 to 64 characters of A-Z, a-z, 0-9, _ and -');
  const tool = readText(query, 'tool', /^.{1,256}$/s, 'must be the name of a tool');
  const page = await toolCalls.read(caller.owner, {
    limit,
    before,
    sessionId,
    tool,
  });
  exchange.reply(200, { object: 'list', data: page.rows.map(toJson), next_cursor: page.next ?? null });
}

const toJson = (row: ToolCallRow): object => ({
  call_id: row.callId,
  tool: row.tool,
  session_id: row.sessionId ?? null,
  model: row.model,
  round: row.round,
  source: row.source,
  outcome: row.outcome,
  error_code: row.errorCode ?? null,
  started_at: new Date(row.startedAtMs).toISOString(),
  duration_ms: row.durationMs,
  approval_wait_ms: row.approvalWaitMs ?? null,
  bytes_in: row.bytesIn,
  bytes_out: row.bytesOut,
});
