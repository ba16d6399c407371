import { Controller, Delete, Get, Header, HttpCode, Inject, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { newId, SESSION_ID, type SessionMeta, type SessionRef } from '@codelab/bus';
import {
  decodeClientFrame,
  type MessageCommand,
  refuse,
  schemaOf,
  SERVER_FRAMES,
  SESSION_MODES,
  WHEN_BUSY,
  type WhenBusy,
} from '@codelab/protocol';
import { VOCABULARY_CHOICES } from '@codelab/tools';
import type { GatewayPorts } from '../../core/gateway-ports.js';
import { faultOfAgent } from '../../core/handlers/handler.js';
import { handleUserMessage } from '../../core/handlers/user-message.js';
import { checkFilter, findSessions, STATUSES, type SessionFilter } from './find-sessions.js';
import { presentSession } from './present-session.js';
import { DescribeRoute } from '../openapi/describe-route.js';
import { PAGE_QUERY, pageOf, SESSION_SCHEMA } from '../openapi/schemas.js';
import { GATEWAY_PORTS } from '../tokens.js';
import { ChoiceField, FlagField, TextField, WholeField } from './body-field.js';
import { readPage } from './page.js';
import { readBody } from './read-body.js';
import { orRefuse, RefusedRequest } from './refused-request.js';
import { demandScope, notThere, toCaller } from './rest-caller.js';
import type { RestRequest } from './admit-request.js';

/** Names REST in a session that it creates: it executes nothing. */
const REST_CLIENT = 'rest';
/** 30 days: what waits for longer is ended anyway. */
const MAX_GRACE_MS = 30 * 24 * 60 * 60_000;

class SessionSettings {
  @TextField('A title.', { max: 200, optional: true }) title?: string;
  @TextField('The model.', { max: 256, optional: true }) model?: string;
  @TextField('The agent: a mode, or one that a file of its workspace or its person describes.', { min: 1, max: 64, optional: true })
  agent?: string;
  @ChoiceField('How much is asked; in `plan` agents only read. Needs the scope approve.', SESSION_MODES) mode?: string;
  @ChoiceField('How the model sees the tools; from the next turn on.', VOCABULARY_CHOICES) vocabulary?: string;
}

class SessionChanges extends SessionSettings {
  @WholeField('Milliseconds after which an absent client fails its calls; 0: never.', { min: 0, max: MAX_GRACE_MS })
  client_grace_ms?: number;
  @FlagField('Questions are decided by `hitl_decision` only, also for clients without identity. Needs the scope approve.')
  server_side_decisions?: boolean;
}

class NewSession extends SessionSettings {
  @TextField('Its name; made here without one.', { min: 1, max: 64, pattern: SESSION_ID, optional: true }) session_id?: string;
}

class NewExecutor {
  @TextField('`client_id` of the new executor; empty for the next client that declares tools.', { max: 128 }) client_id!: string;
}

class Command {
  @TextField('What to keep above all, in a summary.', { max: 9_000, optional: true }) instructions?: string;
  @TextField('The key that makes a repeat harmless.', { min: 1, max: 128, optional: true }) message_id?: string;
  @ChoiceField('While a turn runs; `enqueue` without. `steer`: before its next model request, but for a new beginning.', WHEN_BUSY)
  when_busy?: WhenBusy;
}

const COMMAND_ANSWER = {
  status: 202,
  description: 'The `message_accepted` of the message that it is.',
  schema: schemaOf(SERVER_FRAMES.message_accepted.body),
} as const;
const SESSION_ANSWER = { status: 200, description: 'The session.', schema: SESSION_SCHEMA } as const;

/** A person's sessions. */
@Controller('api/v1/sessions')
export class SessionsController {
  constructor(@Inject(GATEWAY_PORTS) private readonly ports: GatewayPorts) {}

  @Post()
  @DescribeRoute({
    summary: 'Creates a session; one of this name that is there already is changed and answered with 200.',
    body: NewSession,
    response: { status: 201, description: 'The new session.', schema: SESSION_SCHEMA },
    errors: ['INVALID_FORMAT', 'INVALID_FIELD', 'QUOTA'],
  })
  async create(@Req() request: RestRequest, @Res({ passthrough: true }) response: Response) {
    const { session_id: sessionId = newId('ses'), title, model, agent, mode, vocabulary } = readBody(NewSession, request.bodyText);
    if (mode !== undefined) demandScope(request, 'approve');
    const { session } = toCaller(request, sessionId);
    const { store } = this.ports;
    await checkAgent(store, session, agent);
    const isNew = (await store.readMeta(session)) === undefined;
    const joining = { clientId: REST_CLIENT, protocolVersion: '2.0', ...given({ model, agent, mode, vocabulary }) };
    const joined = await store.join(session, joining, { create: true });
    const meta = title === undefined ? joined : await store.patch(session, { title });
    response.status(isNew ? 201 : 200);
    return answer(meta);
  }

  @Get()
  @DescribeRoute({
    summary: 'Lists the sessions, the one that was used last first. Narrowed, it looks at 1,000 sessions for one answer.',
    query: {
      query: { type: 'string', maxLength: 200, description: 'Words that all stand in the title, name, folder, agent or model.' },
      status: { type: 'string', enum: [...STATUSES] },
      agent: { type: 'string', description: 'Only of this agent.' },
      ...PAGE_QUERY,
    },
    response: { status: 200, description: 'Sessions.', schema: pageOf('sessions', SESSION_SCHEMA) },
    errors: ['INVALID_FIELD'],
  })
  async list(@Req() { identity }: RestRequest, @Query() { query, status, agent, ...page }: SessionFilter & object) {
    const filter = { query, status, agent };
    checkFilter(filter);
    const { sessions, next } = await findSessions(this.ports.store, identity.owner, filter, readPage(page));
    const present = await this.ports.children.present(sessions.map(({ ref }) => ref));
    const shown = sessions.map((meta, at) => ({ ...presentSession(meta), executor_connected: present[at] === true }));
    return { sessions: shown, ...(next === undefined ? {} : { next_cursor: String(next) }) };
  }

  @Get(':session_id')
  @DescribeRoute({ summary: 'Shows a session.', response: SESSION_ANSWER, errors: ['SESSION_NOT_FOUND'] })
  async show(@Req() request: RestRequest, @Param('session_id') sessionId: string) {
    const reading = await this.ports.store.read(toCaller(request, sessionId).session, { historyItems: 0 });
    if (reading === undefined) throw notThere();
    const todos = reading.todos === '' ? [] : (JSON.parse(reading.todos) as object[]);
    const [isConnected = false] = await this.ports.children.present([reading.meta.ref]);
    return { ...presentSession(reading.meta), executor_connected: isConnected, todos };
  }

  @Patch(':session_id')
  @DescribeRoute({
    summary: 'Changes settings of a session; a turn that runs keeps its own, but for `mode`, which counts for its next call.',
    body: SessionChanges,
    response: SESSION_ANSWER,
    errors: ['INVALID_FORMAT', 'INVALID_FIELD', 'SESSION_NOT_FOUND'],
  })
  async change(@Req() request: RestRequest, @Param('session_id') sessionId: string) {
    const { session } = toCaller(request, sessionId);
    const { title, model, agent, mode, vocabulary, ...more } = readBody(SessionChanges, request.bodyText);
    const { client_grace_ms: clientGraceMs, server_side_decisions: serverSideDecisions } = more;
    await checkAgent(this.ports.store, session, agent);
    if (mode !== undefined || serverSideDecisions !== undefined) demandScope(request, 'approve');
    return answer(
      await this.ports.store.patch(session, given({ title, model, agent, mode, vocabulary, clientGraceMs, serverSideDecisions })),
    );
  }

  @Delete(':session_id')
  @HttpCode(204)
  @DescribeRoute({
    summary: 'Removes a session and everything of it.',
    response: { status: 204, description: 'It is gone.' },
    errors: ['SESSION_NOT_FOUND'],
  })
  async remove(@Req() request: RestRequest, @Param('session_id') sessionId: string): Promise<void> {
    if (!(await this.ports.store.remove(toCaller(request, sessionId).session))) throw notThere();
  }

  @Post(':session_id/compact')
  @HttpCode(202)
  @DescribeRoute({
    summary: 'Has what is older of the conversation summed up for the model: a turn of its own, after the one that runs. The record stays.',
    body: Command,
    response: COMMAND_ANSWER,
    errors: ['INVALID_FORMAT', 'INVALID_FIELD', 'SESSION_NOT_FOUND', 'QUEUE_FULL', 'OVERLOADED'],
  })
  compact(@Req() request: RestRequest, @Param('session_id') sessionId: string) {
    return command(this.ports, request, sessionId, 'compact');
  }

  @Post(':session_id/clear')
  @HttpCode(202)
  @DescribeRoute({
    summary: 'The model sees nothing of what was before: a turn of its own, after the one that runs. The record stays.',
    body: Command,
    response: COMMAND_ANSWER,
    errors: ['INVALID_FORMAT', 'INVALID_FIELD', 'SESSION_NOT_FOUND', 'QUEUE_FULL', 'OVERLOADED'],
  })
  clear(@Req() request: RestRequest, @Param('session_id') sessionId: string) {
    return command(this.ports, request, sessionId, 'clear');
  }

  @Post(':session_id/executor')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @DescribeRoute({
    summary: 'Gives the session another executor. Calls that the old one has begun stay with it. Needs the scope approve.',
    body: NewExecutor,
    response: SESSION_ANSWER,
    errors: ['INVALID_FORMAT', 'MISSING_FIELD', 'INVALID_FIELD', 'SESSION_NOT_FOUND'],
  })
  async moveExecutor(@Req() request: RestRequest, @Param('session_id') sessionId: string) {
    demandScope(request, 'approve');
    const { session } = toCaller(request, sessionId);
    const { client_id: clientId } = readBody(NewExecutor, request.bodyText);
    if (clientId === 'seed' || clientId.startsWith('seed:')) {
      throw new RefusedRequest(refuse('INVALID_FIELD', 'client_id: a client without identity takes its place by being the first'));
    }
    return answer(await this.ports.store.moveExecutor(session, clientId));
  }
}

/** Refuses an agent that the session does not know. */
async function checkAgent(store: GatewayPorts['store'], session: SessionRef, agent: string | undefined): Promise<void> {
  const fault = agent === undefined ? undefined : await faultOfAgent(store, session, agent);
  if (fault !== undefined) throw new RefusedRequest(refuse('INVALID_FIELD', `agent: ${fault}`));
}

/** What a message of REST asks of the conversation, as if it had been said. */
async function command(ports: GatewayPorts, request: RestRequest, sessionId: string, asked: MessageCommand) {
  const caller = toCaller(request, sessionId);
  if ((await ports.store.readMeta(caller.session)) === undefined) throw notThere();
  const { instructions = '', message_id: messageId, when_busy } = readBody(Command, request.bodyText);
  const frame = decodeClientFrame(
    JSON.stringify({
      type: 'user_message',
      content: `/${asked} ${instructions}`.trim(),
      message_id: messageId,
      command: asked,
      when_busy,
      traceparent: contextOf(request),
    }),
  );
  if (!frame.ok) throw new RefusedRequest(frame);
  if (frame.frame.type !== 'user_message') throw notThere();
  const { answer: accepted } = orRefuse(await handleUserMessage(ports.store)(frame.frame, { ...caller, clientId: REST_CLIENT }));
  return accepted.kind === 'frame' ? accepted.frame : undefined;
}

const contextOf = ({ headers: { traceparent } }: RestRequest): string | undefined =>
  typeof traceparent === 'string' && traceparent.length <= 64 ? traceparent : undefined;

/** Fields that are there. */
const given = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as { [K in keyof T]: Exclude<T[K], undefined> };

function answer(meta: SessionMeta | undefined) {
  if (meta === undefined) throw notThere();
  return presentSession(meta);
}
