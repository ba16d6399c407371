import type { Clock } from '@codelab/clock';
import { WebStandardStreamableHTTPServerTransport, type Server } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import { EventLog } from './event-log.js';

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Responses that are not over. */
  open: number;
  lastUsedMs: number;
}

/** Sessions at once, and how long one may be unused before it ends, in milliseconds. */
const MAX_SESSIONS = 64;
const IDLE_MS = 30 * 60_000;

/** When a client whose stream broke comes back, in milliseconds. */
const RETRY_MS = 1_000;

/** What a client gets in the place of a session. */
export const rpcError = (status: number, code: number, message: string, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });

/** The sessions of programs of 2025: one server each, bounded, ended by DELETE, by time, or with the endpoint. */
export class HttpSessions {
  private readonly sessions = new Map<string, Session>();
  private callOff: (() => void) | undefined;

  constructor(
    private readonly build: () => Server,
    private readonly clock: Clock,
    private readonly maxBodyBytes: number,
  ) {}

  /** Answers one request. `over` resolves when its response is: until then the session is used. */
  async serve(request: Request, over: Promise<void>): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const session = id === null ? await this.begin(request) : this.sessions.get(id);
    if (session === undefined) return rpcError(404, -32_001, 'Session not found: begin a new one.');
    if (session instanceof Response) return session;
    session.open += 1;
    void over.finally(() => {
      session.open -= 1;
      session.lastUsedMs = this.clock.now();
      this.expireLater();
    });
    return session.transport.handleRequest(request);
  }

  async close(): Promise<void> {
    this.callOff?.();
    await Promise.all([...this.sessions.values()].map(({ transport }) => transport.close()));
  }

  private async begin(request: Request): Promise<Session | Response> {
    if (request.method !== 'POST') return rpcError(400, -32_000, 'Bad Request: Mcp-Session-Id header is required');
    if (this.sessions.size >= MAX_SESSIONS && !(await this.endOldest())) {
      return rpcError(503, -32_000, `There are ${String(MAX_SESSIONS)} sessions already: end one of them.`, { 'retry-after': '30' });
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: new EventLog(),
      retryInterval: RETRY_MS,
      maxRequestBodySize: this.maxBodyBytes,
      onsessioninitialized: (id) => void this.sessions.set(id, session),
    });
    const session: Session = { transport, open: 0, lastUsedMs: this.clock.now() };
    await this.build().connect(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.call(transport);
      if (transport.sessionId !== undefined) this.sessions.delete(transport.sessionId);
    };
    return session;
  }

  private async endOldest(): Promise<boolean> {
    const [oldest] = [...this.sessions.values()].filter(({ open }) => open === 0).sort((a, b) => a.lastUsedMs - b.lastUsedMs);
    await oldest?.transport.close();
    return oldest !== undefined;
  }

  private expireLater(): void {
    this.callOff ??= this.clock.after(IDLE_MS, () => {
      this.callOff = undefined;
      const before = this.clock.now() - IDLE_MS;
      for (const { open, lastUsedMs, transport } of [...this.sessions.values()])
        if (open === 0 && lastUsedMs <= before) void transport.close();
      if (this.sessions.size > 0) this.expireLater();
    });
  }
}
