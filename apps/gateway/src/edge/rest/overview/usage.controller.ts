import { Controller, Get, Header, Inject, Query, Req } from '@nestjs/common';
import { SESSION_ID, TOOL_CALL_CURSOR, type ToolCallRow, type UsageRow } from '@codelab/bus';
import { refuse, type JsonSchema } from '@codelab/protocol';
import { DescribeRoute } from '../../openapi/describe-route.js';
import { OF_SESSION, PAGE_QUERY, pageOf } from '../../openapi/schemas.js';
import { RECORDS } from '../../tokens.js';
import type { RestRequest } from '../admit-request.js';
import { readDays, MOST_DAYS } from './read-days.js';
import { readPage } from '../page.js';
import type { Records } from './records.js';
import { RefusedRequest } from '../refused-request.js';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const whole = (description: string): JsonSchema => ({ type: 'integer', description });
const GROUPS = ['model', 'session'] as const;

const USAGE_ROW: JsonSchema = {
  type: 'object',
  required: ['day', 'key', 'requests', 'input_tokens', 'output_tokens', 'cost_usd'],
  properties: {
    day: text('`YYYY-MM-DD`, of UTC.'),
    key: text('`tenant/subject` of the token.'),
    model: text('Where it is asked for by model.'),
    session_id: { type: ['string', 'null'], description: 'Where it is asked for by session; null: of none.' },
    requests: whole('Requests to models.'),
    estimated_requests: whole('Of these: counted by our estimate, because nobody told.'),
    input_tokens: whole('All input, cached or not.'),
    cached_input_tokens: whole('Of the input.'),
    cache_write_tokens: whole('Of the input.'),
    output_tokens: whole('All output.'),
    reasoning_tokens: whole('Of the output.'),
    cost_usd: { type: 'number', description: 'Of models that have a price.' },
  },
};

const CALL_ROW: JsonSchema = {
  type: 'object',
  required: ['call_id', 'tool', 'model', 'round', 'source', 'outcome', 'started_at_ms', 'duration_ms', 'bytes_in', 'bytes_out'],
  properties: {
    call_id: text('The call.'),
    tool: text('Its tool.'),
    session_id: text('The session; absent for none.'),
    model: text('Who called it.'),
    round: whole('Of the loop, from 1.'),
    source: { type: 'string', enum: ['builtin', 'client', 'http', 'mcp', 'caller'] },
    outcome: { type: 'string', enum: ['ok', 'error', 'handed_over'] },
    error_code: text('Why it failed.'),
    started_at_ms: whole('Unix time.'),
    duration_ms: whole('Milliseconds.'),
    approval_wait_ms: whole('Of the duration: until a decision.'),
    bytes_in: whole('Of the arguments.'),
    bytes_out: whole('Of the result.'),
  },
};

interface CallQuery {
  readonly cursor?: string;
  readonly limit?: string;
  readonly session_id?: string;
  readonly tool?: string;
}

/** What a person used, and which tools programs called for them: what llm-proxy tells under `/v1`, for who has no scope for models. */
@Controller('api/v1')
export class UsageController {
  constructor(@Inject(RECORDS) private readonly records: Records) {}

  @Get('usage')
  @Header('cache-control', 'no-store')
  @DescribeRoute({
    summary:
      'What was used on days of UTC, both included: a row for each day and model, or each day and session. The last 30 days without.',
    query: {
      from: text(`\`YYYY-MM-DD\`; at most ${String(MOST_DAYS)} days before \`to\`.`),
      to: text('`YYYY-MM-DD`; today without.'),
      group_by: { type: 'string', enum: [...GROUPS], default: 'model' },
    },
    response: {
      status: 200,
      description: 'Rows in the order of their days.',
      schema: {
        type: 'object',
        required: ['from', 'to', 'rows'],
        properties: { from: text('The first day.'), to: text('The last day.'), rows: { type: 'array', items: USAGE_ROW } },
      },
    },
    errors: ['INVALID_FIELD'],
  })
  async usage(@Req() { identity: { owner } }: RestRequest, @Query() query: { from?: string; to?: string; group_by?: string }) {
    const days = readDays(query, Date.now());
    const by = query.group_by ?? 'model';
    if (by !== 'model' && by !== 'session') throw new RefusedRequest(refuse('INVALID_FIELD', `group_by: one of ${GROUPS.join(', ')}`));
    const rows = await this.records.ledger.readUsage(owner, days);
    return { ...days, rows: sumByDay(rows, by).map((row) => presentUsage(row, by, `${owner.tenant}/${owner.sub}`)) };
  }

  @Get('tool-calls')
  @Header('cache-control', 'no-store')
  @DescribeRoute({
    summary: 'The tool calls that llm-proxy saw, newest first: about the last 10,000 of 30 days. Arguments and results are not kept.',
    query: { session_id: OF_SESSION, tool: text('Only of this tool.'), ...PAGE_QUERY },
    response: { status: 200, description: 'A row for each call.', schema: pageOf('tool_calls', CALL_ROW) },
    errors: ['INVALID_FIELD'],
  })
  async toolCalls(@Req() { identity }: RestRequest, @Query() { cursor, limit: asked, session_id: sessionId, tool }: CallQuery) {
    const { limit } = readPage({ limit: asked });
    demand('cursor', cursor, TOOL_CALL_CURSOR);
    demand('session_id', sessionId, SESSION_ID);
    demand('tool', tool, /^.{1,256}$/s);
    const { rows, next } = await this.records.toolCalls.read(identity.owner, { limit, before: cursor, sessionId, tool });
    return { tool_calls: rows.map(presentCall), next_cursor: next };
  }
}

function demand(name: string, value: string | undefined, pattern: RegExp): void {
  if (value !== undefined && !pattern.test(value)) throw new RefusedRequest(refuse('INVALID_FIELD', `${name}: it is none`));
}

type Counts = Omit<UsageRow, 'day' | 'model' | 'sessionId'>;

/** Adds up what differs in nothing that is asked for. */
function sumByDay(rows: readonly UsageRow[], by: (typeof GROUPS)[number]): readonly UsageRow[] {
  const sums = new Map<string, UsageRow>();
  for (const row of rows) {
    const key = `${row.day} ${by === 'model' ? row.model : row.sessionId}`;
    const known = sums.get(key);
    sums.set(key, known === undefined ? row : { ...known, ...addCounts(known, row) });
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

const addCounts = (one: Counts, other: Counts): Counts => ({
  requests: one.requests + other.requests,
  estimatedRequests: one.estimatedRequests + other.estimatedRequests,
  inputTokens: one.inputTokens + other.inputTokens,
  cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
  cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  reasoningTokens: one.reasoningTokens + other.reasoningTokens,
  costUsd: one.costUsd + other.costUsd,
});

const presentUsage = (row: UsageRow, by: (typeof GROUPS)[number], key: string) => ({
  ...{ day: row.day, key, ...(by === 'model' ? { model: row.model } : { session_id: row.sessionId === '' ? null : row.sessionId }) },
  ...{ requests: row.requests, estimated_requests: row.estimatedRequests, input_tokens: row.inputTokens },
  ...{ cached_input_tokens: row.cachedInputTokens, cache_write_tokens: row.cacheWriteTokens, output_tokens: row.outputTokens },
  ...{ reasoning_tokens: row.reasoningTokens, cost_usd: Math.round(row.costUsd * 1e9) / 1e9 }, // sums of floats have tails
});

const presentCall = (row: ToolCallRow) => ({
  ...{ call_id: row.callId, tool: row.tool, session_id: row.sessionId, model: row.model, round: row.round, source: row.source },
  ...{ outcome: row.outcome, error_code: row.errorCode, started_at_ms: row.startedAtMs, duration_ms: row.durationMs },
  ...{ approval_wait_ms: row.approvalWaitMs, bytes_in: row.bytesIn, bytes_out: row.bytesOut },
});
