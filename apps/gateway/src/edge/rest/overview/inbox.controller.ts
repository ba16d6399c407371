import { Controller, Get, Header, Inject, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { refuse, schemaOf, SERVER_FRAMES, type JsonSchema } from '@codelab/protocol';
import type { ApprovalInbox, InboxItem } from '../../../core/inbox/approval-inbox.js';
import { DescribeRoute } from '../../openapi/describe-route.js';
import { APPROVAL_INBOX } from '../../tokens.js';
import type { RestRequest } from '../admit-request.js';
import { readNumber } from '../page.js';
import { RefusedRequest } from '../refused-request.js';
import { presentQuestion, presentWorkspace } from '../present-session.js';

const MAX_WAIT_MS = 30_000;

const QUESTION = schemaOf(SERVER_FRAMES.tool_call.body);
const APPROVAL_SCHEMA: JsonSchema = {
  ...QUESTION,
  required: ['session_id', 'executor_connected', ...(QUESTION['required'] as string[])],
  properties: {
    session_id: { type: 'string', description: 'The session in which it was asked, and is decided.' },
    title: { type: 'string', description: 'Of the session.' },
    workspace: { type: 'object', description: 'What the executor said of its folder.' },
    session_agent: { type: 'string', description: 'The agent of the session.' },
    executor_connected: { type: 'boolean', description: 'Whether the client that would run it is connected.' },
    ...(QUESTION['properties'] as object),
  },
};

/** The questions that wait in all sessions of a person. */
@Controller('api/v1/approvals')
export class InboxController {
  constructor(@Inject(APPROVAL_INBOX) private readonly inbox: ApprovalInbox) {}

  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'no-store')
  @DescribeRoute({
    summary:
      'The calls that wait for a decision in the 500 sessions that were used last, at most 200. With `since` the answer comes when something ' +
      'changed, or after `wait_ms`.',
    query: {
      since: { type: 'string', description: '`revision` of the answer before.' },
      wait_ms: { type: 'integer', minimum: 0, maximum: MAX_WAIT_MS, default: 0 },
    },
    response: {
      status: 200,
      description: 'Calls as `tool_call` frames, with `preview` and `operands` where the executor has sent them, and their sessions.',
      schema: {
        type: 'object',
        required: ['revision', 'approvals'],
        properties: {
          revision: { type: 'string', description: 'Send it as `since`.' },
          approvals: { type: 'array', items: APPROVAL_SCHEMA },
          truncated: { type: 'boolean', description: 'There are more.' },
        },
      },
    },
    errors: ['INVALID_FIELD'],
  })
  async read(
    @Req() { identity, watchSignIn }: RestRequest,
    @Res({ passthrough: true }) response: Response,
    @Query() { since, wait_ms: wait }: { readonly since?: string; readonly wait_ms?: string },
  ): Promise<string> {
    const waitMs = readNumber('wait_ms', wait, 0, MAX_WAIT_MS) ?? 0;
    const gone = new AbortController();
    let isOver = false;
    const end = watchSignIn?.(() => {
      isOver = true;
      gone.abort();
    });
    response.on('close', () => {
      end?.();
      gone.abort();
    });
    const { owner } = identity;
    const { revision, items, truncated } = await (since === undefined
      ? this.inbox.read(owner)
      : this.inbox.change(owner, since, { waitMs, signal: gone.signal }));
    if (isOver) throw new RefusedRequest(refuse('TOKEN_EXPIRED', 'you are signed out: sign in again'));
    const head = `{"revision":${JSON.stringify(revision)},"approvals":[${items.map(presentItem).join(',')}]`;
    return `${head}${truncated ? ',"truncated":true' : ''}}`;
  }
}

function presentItem({ session, call, isConnected }: InboxItem): string {
  const about = {
    ...{ session_id: session.ref.sessionId, title: session.title, workspace: presentWorkspace(session) },
    ...{ session_agent: session.agent, executor_connected: isConnected },
  };
  return `${JSON.stringify(about).slice(0, -1)},${presentQuestion(call).slice(1)}`;
}
