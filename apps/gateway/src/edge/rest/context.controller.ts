import { Controller, Get, Header, Inject, Param, Req } from '@nestjs/common';
import { readKnowledge } from '@codelab/tools';
import type { GatewayPorts } from '../../core/gateway-ports.js';
import { type ContextSummary, readWholeHistory, summariseContext } from '../../core/snapshot/context-summary.js';
import { DescribeRoute } from '../openapi/describe-route.js';
import { CONTEXT_SCHEMA } from '../openapi/context-schema.js';
import { GATEWAY_PORTS } from '../tokens.js';
import { notThere, toCaller } from './rest-caller.js';
import type { RestRequest } from './admit-request.js';

/** What fills the context of a session. */
@Controller('api/v1/sessions/:session_id/context')
export class ContextController {
  constructor(@Inject(GATEWAY_PORTS) private readonly ports: GatewayPorts) {}

  @Get()
  @Header('cache-control', 'no-store')
  @DescribeRoute({
    summary: 'What fills the context of the next request, in tokens, and the files that say how to work here.',
    response: { status: 200, description: 'Estimates of tokens, instruction files and agents.', schema: CONTEXT_SCHEMA },
    errors: ['SESSION_NOT_FOUND'],
  })
  async read(@Req() request: RestRequest, @Param('session_id') sessionId: string): Promise<ContextSummary> {
    const { session } = toCaller(request, sessionId);
    const { store } = this.ports;
    if ((await store.readMeta(session)) === undefined) throw notThere();
    const [prompt, facts, history] = await Promise.all([
      store.readPrompt(session),
      store.readFacts(session),
      readWholeHistory(store, session),
    ]);
    return summariseContext(prompt, { first: readKnowledge(facts.first), latest: readKnowledge(facts.latest) }, history);
  }
}
