import { Controller, Get, Inject, Param, Query, Req } from '@nestjs/common';
import { AGENTS, findUserAgent, readKnowledge } from '@codelab/tools';
import type { GatewayPorts } from '../../core/gateway-ports.js';
import { DescribeRoute } from '../openapi/describe-route.js';
import { OF_SESSION, pageOf } from '../openapi/schemas.js';
import { GATEWAY_PORTS } from '../tokens.js';
import type { RestRequest } from './admit-request.js';
import { notThere, toCaller } from './rest-caller.js';

/** The agents that there are: the modes, and in a session those that its people describe. */
@Controller('api/v1')
export class FactsController {
  constructor(@Inject(GATEWAY_PORTS) private readonly ports: GatewayPorts) {}

  @Get('agents')
  @DescribeRoute({
    summary: 'The agent modes; with a session also those that files of its workspace or its person describe.',
    query: { session_id: OF_SESSION },
    response: { status: 200, description: 'Names and what each is for.', schema: pageOf('agents', { type: 'object' }) },
    errors: ['SESSION_NOT_FOUND'],
  })
  async agents(@Req() request: RestRequest, @Query() { session_id: sessionId }: { readonly session_id?: string }) {
    return sessionId === undefined ? { agents: AGENTS } : this.agentsOf(request, sessionId);
  }

  @Get('sessions/:session_id/agents')
  @DescribeRoute({
    summary: 'The agents that a session can name: the modes, and those that files of its workspace or its person describe.',
    response: { status: 200, description: 'Names and what each is for.', schema: pageOf('agents', { type: 'object' }) },
    errors: ['SESSION_NOT_FOUND'],
  })
  async agentsOf(@Req() request: RestRequest, @Param('session_id') sessionId: string) {
    const { session } = toCaller(request, sessionId);
    const { store } = this.ports;
    if ((await store.readMeta(session)) === undefined) throw notThere();
    const { agents } = readKnowledge((await store.readFacts(session)).latest);
    const own = [...new Set(agents.map(({ name }) => name))].flatMap((name) => findUserAgent(agents, name) ?? []);
    return { agents: [...AGENTS, ...own.map(({ prompt: _, ...shown }) => shown)] };
  }
}
