import {
  agent,
  methods,
  RequestError,
  type AgentApp,
  type AgentContext,
  type ClientCapabilities,
  type McpServer,
  type SessionInfo,
} from '@agentclientprotocol/sdk';
import { realpath } from 'node:fs/promises';
import { describeAgent, readAbilities, TOKEN_METHOD } from '../../core/acp/describe-agent.js';
import { isOptionId } from '../../core/acp/session-options.js';
import { readSessionInfo } from '../../core/acp/session-info.js';
import { SessionApi } from '../sessions/session-api.js';
import { version } from '../version.js';
import { toRequestError } from './acp-errors.js';
import type { AcpGateway } from './acp-gateway.js';
import type { AcpPlace } from './acp-place.js';
import { AcpSession, type SessionRequest } from './acp-session.js';
import { Editor } from './editor.js';

/** One editor at the other end of stdin and stdout, and the sessions that it has open. */
export class AcpAgent {
  private readonly sessions = new Map<string, AcpSession>();
  private readonly opening = new Set<Promise<AcpSession>>();
  private capabilities: ClientCapabilities | undefined;
  private closed = false;

  constructor(
    private readonly gateway: AcpGateway,
    private readonly place: Omit<AcpPlace, 'gateway'>,
  ) {}

  /** The protocol's methods, each with what it does here. */
  app(): AgentApp {
    const { session } = methods.agent;
    return agent({ name: 'codelab' })
      .onRequest(methods.agent.initialize, ({ params }) => {
        this.capabilities = params.clientCapabilities;
        return describeAgent(version);
      })
      .onRequest(methods.agent.authenticate, ({ params }) => answer(() => this.authenticate(params.methodId)))
      .onRequest(session.new, ({ params, client }) =>
        answer(async () => {
          const opened = await this.open({ ...params, sessionId: 'new', replays: false }, client);
          afterAnswer(() => opened.begin());
          return { sessionId: opened.id, ...opened.describe() };
        }),
      )
      .onRequest(session.load, ({ params, client }) =>
        answer(async () => {
          const opened = await this.join({ ...params, replays: true }, client);
          opened.replay();
          afterAnswer(() => opened.begin());
          return opened.describe();
        }),
      )
      .onRequest(session.resume, ({ params, client }) =>
        answer(async () => {
          const opened = await this.join({ ...params, mcpServers: params.mcpServers ?? [], replays: false }, client);
          afterAnswer(() => opened.begin());
          return opened.describe();
        }),
      )
      .onRequest(session.list, ({ params }) => answer(() => this.list(params.cwd ?? undefined, params.cursor ?? undefined)))
      .onRequest(session.close, ({ params }) => answer(() => this.find(params.sessionId).then((found) => this.release(found))))
      .onRequest(session.delete, ({ params }) => answer(() => this.remove(params.sessionId)))
      .onRequest(session.setMode, ({ params }) =>
        answer(async () => void (await (await this.find(params.sessionId)).set('mode', params.modeId))),
      )
      .onRequest(session.setConfigOption, ({ params }) =>
        answer(async () => {
          const { configId, value } = params;
          if (!isOptionId(configId) || typeof value !== 'string')
            throw RequestError.invalidParams(undefined, `There is no option ${JSON.stringify(configId)} of that kind.`);
          return { configOptions: await (await this.find(params.sessionId)).set(configId, value) };
        }),
      )
      .onRequest(session.prompt, ({ params, signal }) =>
        answer(async () => {
          const found = await this.find(params.sessionId);
          const cancel = (): void => void found.cancel();
          signal.addEventListener('abort', cancel, { once: true });
          return found.prompt(params.prompt).finally(() => signal.removeEventListener('abort', cancel));
        }),
      )
      .onNotification(session.cancel, ({ params }) => this.sessions.get(params.sessionId)?.cancel());
  }

  /** Ends every session, those too that are being opened. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.sessions.values()].map((session) => session.close()));
    await Promise.all([...this.opening].map((opening) => opening.then((session) => session.close()).catch(() => undefined)));
  }

  private async authenticate(methodId: string): Promise<object> {
    if (methodId !== TOKEN_METHOD)
      throw RequestError.invalidParams(undefined, `There is no way to sign in called ${JSON.stringify(methodId)}.`);
    await this.gateway.authenticate();
    return {};
  }

  private async open(request: SessionRequest, client: AgentContext): Promise<AcpSession> {
    const editor = new Editor(client, readAbilities(this.capabilities));
    const opening = this.gateway.get().then((gateway) => AcpSession.open(request, { ...this.place, gateway }, editor));
    this.opening.add(opening);
    try {
      const session = await opening;
      if (this.closed) await session.close();
      this.sessions.set(session.id, session);
      return session;
    } finally {
      this.opening.delete(opening);
    }
  }

  /** Goes on with a conversation that is there. One that is open in this process already is opened again. */
  private async join(request: SessionRequest & { readonly mcpServers: readonly McpServer[] }, client: AgentContext): Promise<AcpSession> {
    const { sessionId } = request;
    const known = await new SessionApi(await this.gateway.get()).has(sessionId);
    if (!known) throw RequestError.resourceNotFound(sessionId);
    const open = this.sessions.get(sessionId);
    if (open !== undefined) await this.release(open);
    return this.open(request, client);
  }

  /** The conversations of the person that have a folder on this machine, the latest first. */
  private async list(
    cwd: string | undefined,
    cursor: string | undefined,
  ): Promise<{ readonly sessions: SessionInfo[]; readonly nextCursor?: string | undefined }> {
    const api = new SessionApi(await this.gateway.get());
    const root = cwd === undefined ? undefined : await realpath(cwd).catch(() => cwd);
    let next = cursor;
    do {
      const page = await api.page(next);
      const sessions = page.sessions.flatMap(readSessionInfo).filter((info) => root === undefined || info.cwd === root);
      next = page.next_cursor;
      if (sessions.length > 0 || next === undefined) return { sessions, nextCursor: next };
    } while (next !== undefined);
    return { sessions: [] };
  }

  private async remove(sessionId: string): Promise<object> {
    const open = this.sessions.get(sessionId);
    if (open !== undefined) await this.release(open);
    const api = new SessionApi(await this.gateway.get());
    if (!(await api.has(sessionId))) throw RequestError.resourceNotFound(sessionId);
    await api.delete(sessionId);
    return {};
  }

  private async release(session: AcpSession): Promise<object> {
    this.sessions.delete(session.id);
    await session.close();
    return {};
  }

  private find(sessionId: string): Promise<AcpSession> {
    const session = this.sessions.get(sessionId);
    return session === undefined ? Promise.reject(RequestError.resourceNotFound(sessionId)) : Promise.resolve(session);
  }
}

/** What goes wrong is told as the protocol tells it. */
const answer = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw toRequestError(error);
  }
};

/** An editor knows a session only once it has the answer that names it: what is told of it comes behind that. */
const afterAnswer = (work: () => Promise<void>): void => {
  setTimeout(() => void work().catch(() => undefined), 0); // files that can't be read offer nothing
};
