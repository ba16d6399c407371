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
}

/** Who decided what: names, digests and what it was about, never whole arguments or the contents of files. */
@Controller('api/v1/audit')
export class AuditController {
  constructor(@Inject(GATEWAY_PORTS) private readonly ports: GatewayPorts) {}

  @Get()
  @Header('cache-control', 'no-store')
  @DescribeRoute({
    summary: 'Who decided what, newest first: of one session, or of the 100 sessions that were used last. 1,000 rows of each are kept.',
    query: { session_id: OF_SESSION, ...PAGE_QUERY },
    response: { status: 200, description: 'A row for each decision.', schema: pageOf('entries', AUDIT_SCHEMA) },
    errors: ['INVALID_FIELD', 'SESSION_NOT_FOUND'],
  })
  async read(@Req() request: RestRequest, @Query() { session_id: sessionId, cursor, limit: asked }: AuditQuery) {
    const { limit } = readPage({ limit: asked });
    if (cursor !== undefined && !AUDIT_CURSOR.test(cursor)) {
      throw new RefusedRequest(refuse('INVALID_FIELD', 'cursor: send `next_cursor` of the part before, as it came'));
    }
    const page = { limit, before: cursor };
    const { entries, next } = await this.readFrom(request, sessionId, page);
    return { entries: entries.map(present), next_cursor: next };
  }

  private async readFrom(request: RestRequest, sessionId: string | undefined, page: { before?: string; limit: number }) {
    const { audit, store } = this.ports;
    if (sessionId === undefined) return audit.readPerson(request.identity.owner, page);
    const { session } = toCaller(request, sessionId);
    if ((await store.readMeta(session)) === undefined) throw notThere();
    return audit.readSession(session, page);
  }
}

const present = ({ atMs, sessionId, turnId, callId, toolName, argsSha256, target, outcome, by, reason, ruleId, origin }: AuditEntry) => ({
  ...{ at_ms: atMs, session_id: sessionId, turn_id: turnId, call_id: callId, tool_name: toolName, args_sha256: argsSha256, target },
  ...{ outcome, by, reason, rule_id: ruleId, origin },
});
