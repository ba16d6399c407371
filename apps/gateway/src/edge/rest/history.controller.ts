import { Controller, Get, Header, Inject, Param, Query, Req } from '@nestjs/common';
import { LIMITS } from '@codelab/protocol';
import type { GatewayPorts } from '../../core/gateway-ports.js';
import { presentItem } from '../../core/snapshot/present-item.js';
import { DescribeRoute } from '../openapi/describe-route.js';
import { PAGE_QUERY, pageOf } from '../openapi/schemas.js';
import { GATEWAY_PORTS } from '../tokens.js';
import { readPage } from './page.js';
import { notThere, toCaller } from './rest-caller.js';
import type { RestRequest } from './admit-request.js';

/** The conversation of a session. */
@Controller('api/v1/sessions/:session_id/history')
export class HistoryController {
  constructor(@Inject(GATEWAY_PORTS) private readonly ports: GatewayPorts) {}

  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @DescribeRoute({
    summary: 'The conversation, oldest item first in each part; the last part without a cursor, older ones by `next_cursor`.',
    query: PAGE_QUERY,
    response: {
      status: 200,
      description: 'Items, whole; of attached files without what was read of them, of pictures in results without their bytes.',
      schema: pageOf('items', { type: 'object' }),
    },
    errors: ['INVALID_FIELD', 'SESSION_NOT_FOUND'],
  })
  async read(@Req() request: RestRequest, @Param('session_id') sessionId: string, @Query() query: object): Promise<string> {
    const { session } = toCaller(request, sessionId);
    const page = readPage(query);
    const { store } = this.ports;
    const meta = await store.readMeta(session);
    if (meta === undefined) throw notThere();
    const end = Math.min(page.cursor ?? meta.historyVersion, meta.historyVersion);
    const from = Math.max(0, end - page.limit);
    const { items } = end > from ? await store.readHistory(session, { from, limit: end - from }) : { items: [] };
    const fitting = fitLast(items.map(presentItem));
    const start = end - fitting.length;
    const next = start > 0 ? `,"next_cursor":"${String(start)}"` : '';
    return `{"items":[${fitting.join(',')}],"total":${String(meta.historyVersion)}${next}}`;
  }
}

/** The last items that an answer can hold; at least one. */
function fitLast(items: readonly string[]): readonly string[] {
  let bytes = 0;
  let first = items.length;
  while (first > 0 && (first === items.length || bytes + Buffer.byteLength(items[first - 1]!) <= LIMITS.MAX_FRAME_BYTES)) {
    first -= 1;
    bytes += Buffer.byteLength(items[first]!);
  }
  return items.slice(first);
}
