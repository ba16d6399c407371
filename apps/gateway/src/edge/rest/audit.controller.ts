import { Controller, Get, Header, Inject, Query, Req } from '@nestjs/common';
import { AUDIT_CURSOR, type AuditEntry } from '@codelab/bus';
import { refuse } from '@codelab/protocol';
import type { GatewayPorts } from '../../core/gateway-ports.js';
import { DescribeRoute } from '../openapi/describe-route.js';
import { AUDIT_SCHEMA, OF_SESSION, PAGE_QUERY, pageOf } from '../openapi/schemas.js';
import { GATEWAY_PORTS } from '../tokens.js';
import { readPage } from './page.js';
import { RefusedRequest } from './refused-request.js';
import { notThere, toCaller } from './rest-caller.js';
import type { RestRequest } from './admit-request.js';

interface AuditQuery {
  readonly session_id?: string;
  readonly cursor?: string;
  readonly limit?: string;
  readonly outcome?: string;
  readonly query?: string;
}

/** Rows that one narrowed answer looks at; one that found less goes on with its cursor. */
const MAX_SCANNED = 2_000;
const MAX_QUERY_CHARACTERS = 200;

/** Who decided what: names, digests and what it was about, never whole arguments or the contents of files. */
@Controller('api/v1/audit')
export class AuditController {
  constructor(@Inject(GATEWAY_PORTS) private readonly ports: GatewayPorts) {}

  @Get()
  @Header('cache-control', 'no-store')
  @DescribeRoute({
    summary:
      'Who decided what, newest first: of one session, or of the 100 sessions that were used last. 1,000 rows of each are kept. Narrowed, a ' +
      'part can be shorter or longer than `limit`.',
    query: {
      session_id: OF_SESSION,
      outcome: { type: 'string', description: 'Only rows with this outcome.' },
      query: { type: 'string', maxLength: MAX_QUERY_CHARACTERS, description: 'Words that all stand in the tool, target, reason or name.' },
      ...PAGE_QUERY,
    },
    response: { status: 200, description: 'A row for each decision.', schema: pageOf('entries', AUDIT_SCHEMA) },
    errors: ['INVALID_FIELD', 'SESSION_NOT_FOUND'],
  })
  async read(@Req() request: RestRequest, @Query() { session_id: sessionId, cursor, limit: asked, outcome, query = '' }: AuditQuery) {
    const { limit } = readPage({ limit: asked });
    if (cursor !== undefined && !AUDIT_CURSOR.test(cursor)) {
      throw new RefusedRequest(refuse('INVALID_FIELD', 'cursor: send `next_cursor` of the part before, as it came'));
    }
    if (query.length > MAX_QUERY_CHARACTERS) {
      throw new RefusedRequest(refuse('INVALID_FIELD', `query: at most ${String(MAX_QUERY_CHARACTERS)} characters`));
    }
    const fits = (entry: AuditEntry): boolean => (outcome === undefined || entry.outcome === outcome) && hasWords(entry, query);
    const found: AuditEntry[] = [];
    let next = cursor;
    for (let scanned = 0; scanned < MAX_SCANNED && found.length < limit; scanned += limit) {
      const page = await this.readFrom(request, sessionId, { limit, before: next });
      found.push(...page.entries.filter(fits));
      next = page.next;
      if (next === undefined) break;
    }
    return { entries: found.map(present), next_cursor: next };
  }

  private async readFrom(request: RestRequest, sessionId: string | undefined, page: { before?: string; limit: number }) {
    const { audit, store } = this.ports;
    if (sessionId === undefined) return audit.readPerson(request.identity.owner, page);
    const { session } = toCaller(request, sessionId);
    if ((await store.readMeta(session)) === undefined) throw notThere();
    return audit.readSession(session, page);
  }
}

const hasWords = ({ toolName, target, reason, by }: AuditEntry, query: string): boolean => {
  const words = [toolName, target, reason, by].join('\n').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
};

const present = ({ atMs, sessionId, turnId, callId, toolName, argsSha256, target, outcome, by, reason, ruleId, origin }: AuditEntry) => ({
  ...{ at_ms: atMs, session_id: sessionId, turn_id: turnId, call_id: callId, tool_name: toolName, args_sha256: argsSha256, target },
  ...{ outcome, by, reason, rule_id: ruleId, origin },
});
