import { Controller, Get, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { taskRef } from '@codelab/bus';
import { ERRORS, type JsonSchema, refuse } from '@codelab/protocol';
import type { GatewayPorts } from '../../core/gateway-ports.js';
import { pageOf, SESSION_SCHEMA } from '../openapi/schemas.js';
import { DescribeRoute } from '../openapi/describe-route.js';
import { GATEWAY_PORTS } from '../tokens.js';
import { presentSession } from './present-session.js';
import { RefusedRequest } from './refused-request.js';
import { notThere, toCaller } from './rest-caller.js';
import type { RestRequest } from './admit-request.js';

const TASK_SCHEMA: JsonSchema = {
  ...SESSION_SCHEMA,
  properties: { call_id: { type: 'string', description: 'The call of `task`.' }, ...(SESSION_SCHEMA['properties'] as JsonSchema) },
};

/** The agents that work on parts of a session's task. */
@Controller('api/v1/sessions/:session_id/tasks')
export class TasksController {
  constructor(@Inject(GATEWAY_PORTS) private readonly ports: GatewayPorts) {}

  @Get()
  @DescribeRoute({
    summary: 'The agents that work on parts of the task, or did within the last hour, the oldest first.',
    response: {
      status: 200,
      description:
        'Each is a session of its own, which `GET /api/v1/sessions/{session_id}` and its history show, with the call that it works for.',
      schema: pageOf('tasks', TASK_SCHEMA),
    },
    errors: ['SESSION_NOT_FOUND'],
  })
  async list(@Req() request: RestRequest, @Param('session_id') sessionId: string) {
    const { session } = toCaller(request, sessionId);
    const { store, children } = this.ports;
    if ((await store.readMeta(session)) === undefined) throw notThere();
    const tasks = await children.tasksOf(session);
    return { tasks: tasks.map((meta) => ({ call_id: meta.child?.origin === 'task' ? meta.child.callId : '', ...presentSession(meta) })) };
  }

  @Post(':call_id/cancel')
  @HttpCode(202)
  @DescribeRoute({
    summary:
      'Stops one agent that works on a part of the task: its call of `task` gets `TASK_FAILED` with what it had, and the turn goes on.',
    response: {
      status: 202,
      description: 'The turn of it that ends.',
      schema: { type: 'object', properties: { turn_id: { type: 'string' } } },
    },
    errors: ['SESSION_NOT_FOUND', 'UNKNOWN_CALL', 'UNKNOWN_TURN'],
  })
  async cancel(@Req() request: RestRequest, @Param('session_id') sessionId: string, @Param('call_id') callId: string) {
    const { session } = toCaller(request, sessionId);
    const { store } = this.ports;
    if ((await store.readMeta(session)) === undefined) throw notThere();
    const child = taskRef(session, callId);
    const { child: task } = (await store.readMeta(child)) ?? {};
    if (task?.origin !== 'task' || task.parent !== sessionId || task.callId !== callId) throw refused('UNKNOWN_CALL');
    const requested = await store.requestCancel(child, { queue: false });
    if (requested.kind === 'refused') throw refused(requested.code);
    return { turn_id: requested.turnId };
  }
}

const refused = (code: 'UNKNOWN_CALL' | 'UNKNOWN_TURN' | 'OVERLOADED'): RefusedRequest =>
  new RefusedRequest(refuse(code, ERRORS[code].meaning));
