import { MAX_SERVER_TOOLS, SESSION_ID, sessionRef, type Owner, type ServerTools, type SessionReads, type SessionRef } from '@codelab/bus';
import type { Egress } from '@codelab/egress';
import { ApiError } from '@codelab/llm';
import type { Exchange, Route } from '../serve/route.js';
import { filterTools, listTools, openToolbox, type ToolSources } from './catalog/list-tools.js';
import { type NewToolChecks, parseNewTool } from './catalog/parse-new-tool.js';
import { toToolInfo } from './catalog/tool-info.js';
import { whileRedisServes } from './while-redis-serves.js';

/** What the routes of tools need. */
export interface ToolRoutePorts extends ToolSources {
  readonly serverTools: ServerTools;
  readonly egress: Pick<Egress, 'check'>;
  readonly store: Pick<SessionReads, 'readMeta'>;
  /** What the operator lists for the tools of an owner. */
  readonly listed: (owner: Owner) => Omit<NewToolChecks, 'checkUrl'>;
}

/** `GET /v1/tools`, `POST /v1/tools`, `DELETE /v1/tools/{name}`. */
export const toolRoutes = (ports: ToolRoutePorts): readonly Route[] => [
  { method: 'GET', path: '/v1/tools', scope: 'tools:list', handle: (exchange) => whileRedisServes(() => list(exchange, ports)) },
  { method: 'POST', path: '/v1/tools', scope: 'tools:run', handle: (exchange) => whileRedisServes(() => register(exchange, ports)) },
  { method: 'DELETE', path: '/v1/tools/{name}', scope: 'tools:run', handle: (exchange) => whileRedisServes(() => remove(exchange, ports)) },
];

async function list(exchange: Exchange, ports: ToolRoutePorts): Promise<void> {
  const { caller, url } = exchange;
  const sessionId = url.searchParams.get('session_id');
  const toolbox = await openToolbox(caller.owner, ports, sessionId !== null && SESSION_ID.test(sessionId) ? sessionId : undefined);
  const sessions = sessionId ? toolbox.sessions.filter(({ ref }) => ref.sessionId === sessionId) : toolbox.sessions;
  if (sessionId && sessions.length === 0) throw notConnected(sessionId);
  const tools = listTools({ ...toolbox, sessions });
  exchange.reply(200, {
    object: 'list',
    data: filterTools(tools, { tags: url.searchParams.get('tags'), name: url.searchParams.get('name') }),
  });
}

const notConnected = (sessionId: string): ApiError =>
  SESSION_ID.test(sessionId)
    ? new ApiError('not_found', `No IDE of yours is connected to the session ${sessionId}.`, { param: 'session_id' })
    : new ApiError('invalid_request', 'session_id must be 1 to 64 characters of A-Z, a-z, 0-9, _ and -.', { param: 'session_id' });

async function register(exchange: Exchange, ports: ToolRoutePorts): Promise<void> {
  const { owner } = exchange.caller;
  const body = exchange.json();
  const tool = parseNewTool(body, { ...ports.listed(owner), checkUrl: (url) => ports.egress.check(url) });
  const session = await sessionOf(owner, (body as { readonly session_id?: unknown }).session_id, ports);
  const kept = await ports.serverTools.keep(owner, tool, session);
  if (kept === 'full') {
    throw new ApiError(
      'invalid_request',
      `You have ${String(MAX_SERVER_TOOLS)} tools, which is the limit. Remove one with DELETE /v1/tools/{name}.`,
    );
  }
  exchange.reply(kept === 'new' ? 201 : 200, toToolInfo(tool));
}

/** The session of the asker that a tool is for; `undefined` where it is for all of them. */
async function sessionOf(owner: Owner, sessionId: unknown, { store }: Pick<ToolRoutePorts, 'store'>): Promise<SessionRef | undefined> {
  if (sessionId === undefined || sessionId === null) return undefined;
  if (typeof sessionId !== 'string' || !SESSION_ID.test(sessionId)) {
    throw new ApiError('invalid_request', 'session_id must be 1 to 64 characters of A-Z, a-z, 0-9, _ and -.', { param: 'session_id' });
  }
  const session = sessionRef(owner, sessionId);
  if ((await store.readMeta(session)) !== undefined) return session;
  throw new ApiError('not_found', `You have no session ${sessionId}.`, { param: 'session_id' });
}

async function remove(exchange: Exchange, ports: ToolRoutePorts): Promise<void> {
  const { name = '' } = exchange.params;
  const { owner } = exchange.caller;
  const session = await sessionOf(owner, exchange.url.searchParams.get('session_id'), ports);
  if (await ports.serverTools.drop(owner, name, session)) return exchange.reply(204, undefined);
  throw new ApiError(
    'not_found',
    `You have registered no tool ${JSON.stringify(name.slice(0, 64))}${session === undefined ? '' : ' for this session'}.`,
    { param: 'name' },
  );
}
