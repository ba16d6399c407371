import { Controller, Get, Header, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { CLIENT_FRAMES, decodeClientFrame, refuse, schemaOf, SERVER_FRAMES, type ClientFrameOf } from '@codelab/protocol';
import type { GatewayPorts } from '../../core/gateway-ports.js';
import { handleForOwner } from '../../core/handlers/handle-for-owner.js';
import { handleHitlDecision } from '../../core/handlers/hitl-decision.js';
import type { Handler } from '../../core/handlers/handler.js';
import { presentQuestion } from './present-session.js';
import { withoutSeq } from '../../core/delivery/encode-server-frame.js';
import { DescribeRoute } from '../openapi/describe-route.js';
import { pageOf } from '../openapi/schemas.js';
import { GATEWAY_PORTS } from '../tokens.js';
import { orRefuse, RefusedRequest } from './refused-request.js';
import { notThere, toCaller } from './rest-caller.js';
import type { RestRequest } from './admit-request.js';

/** The questions of a session, and their answers. */
@Controller('api/v1/sessions/:session_id')
export class ApprovalsController {
  private readonly decide: Handler<'hitl_decision'>;

  constructor(@Inject(GATEWAY_PORTS) private readonly ports: GatewayPorts) {
    this.decide = handleHitlDecision(ports);
  }

  @Get('pending-approvals')
  @Header('content-type', 'application/json; charset=utf-8')
  @DescribeRoute({
    summary:
      'The calls that wait for a decision, in the order in which they were asked; then those that programs ask about through llm-proxy.',
    response: {
      status: 200,
      description: 'Calls as `tool_call` frames in their present state, with `preview` and `operands` where the executor has sent them.',
      schema: pageOf('approvals', schemaOf(SERVER_FRAMES.tool_call.body)),
    },
    errors: ['SESSION_NOT_FOUND'],
  })
  async pending(@Req() request: RestRequest, @Param('session_id') sessionId: string): Promise<string> {
    const { store, children } = this.ports;
    const { session } = toCaller(request, sessionId);
    const reading = await store.read(session, { historyItems: 0 });
    if (reading === undefined) throw notThere();
    const [programs = []] = await children.of([session]);
    const asked = await Promise.all(programs.map(({ sid }) => store.readCalls(sid)));
    const waiting = [reading.calls, ...asked].flat().filter(({ state }) => state === 'waiting_approval');
    return `{"approvals":[${waiting.map(presentQuestion).join(',')}]}`;
  }

  @Post('decisions')
  @HttpCode(200)
  @Header('content-type', 'application/json; charset=utf-8')
  @DescribeRoute({
    summary: 'Decides one call: the fields of a `hitl_decision` frame. Needs the scope approve.',
    body: schemaOf(CLIENT_FRAMES.hitl_decision.body, { takesNulls: true }),
    response: { status: 200, description: 'The logged `approval_resolved`.', schema: schemaOf(SERVER_FRAMES.approval_resolved.body) },
    errors: [
      ...(['INVALID_FORMAT', 'MISSING_FIELD', 'INVALID_FIELD', 'SESSION_NOT_FOUND', 'UNKNOWN_CALL', 'ALREADY_RESOLVED'] as const),
      ...(['EXPIRED', 'DIGEST_MISMATCH', 'INVALID_ARGUMENTS', 'DENIED_BY_POLICY', 'OVERLOADED'] as const),
    ],
  })
  async decideCall(@Req() request: RestRequest, @Param('session_id') sessionId: string): Promise<string> {
    const caller = toCaller(request, sessionId);
    const frame = readDecision(request.bodyText);
    if ((await this.ports.store.readMeta(caller.session)) === undefined) throw notThere();
    const call = { callId: frame.call_id, known: undefined };
    const { outcome, child } = await handleForOwner(this.ports, caller, call, (owner) => this.decide(frame, owner));
    const { answer } = orRefuse(outcome);
    if (answer.kind !== 'logged') return '{}';
    return child === undefined ? answer.frame.text : withoutSeq(answer.frame.text);
  }
}

/** The body as the frame that it is but for its type: `modified_args` keeps its bytes. Throws `RefusedRequest`. */
function readDecision(bodyText: string): ClientFrameOf<'hitl_decision'> {
  const body = bodyText.trim();
  if (!body.startsWith('{') || !body.endsWith('}')) throw new RefusedRequest(refuse('INVALID_FORMAT', 'the body is not a JSON object'));
  const fields = body.slice(1, -1).trim();
  const decoded = decodeClientFrame(fields === '' ? '{"type":"hitl_decision"}' : `{${fields},"type":"hitl_decision"}`);
  if (!decoded.ok) throw new RefusedRequest(decoded);
  if (decoded.frame.type !== 'hitl_decision') throw new RefusedRequest(refuse('INVALID_FORMAT', 'the body is not a JSON object'));
  return decoded.frame;
}
