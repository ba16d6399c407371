import {
  LOG_LEVEL_META_KEY,
  type CallToolResult,
  type Client,
  type CompleteResult,
  type GetPromptResult,
  type McpSubscription,
  type PriorDiscovery,
  type ReadResourceResult,
  type RequestOptions,
  type ServerCapabilities,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Completion } from '../servers/mcp-servers.js';
import type { McpTool } from '../servers/mcp-server-state.js';
import type { ListKind, SessionOptions } from './session-options.js';

/** While nothing runs, a server is asked this often whether it is still there. */
const PING_EVERY_MS = 60_000;
const PING_TIMEOUT_MS = 15_000;

/** How long the end of an HTTP session may take. */
const TERMINATE_MS = 2_000;

const LIST_CHANGED = {
  tools: 'notifications/tools/list_changed',
  resources: 'notifications/resources/list_changed',
  prompts: 'notifications/prompts/list_changed',
} as const;

/** What the session is made on. */
export interface SessionTransport {
  readonly transport: Transport;
  readonly kind: 'stdio' | 'http' | 'sse';
  readonly stderr: () => string;
  readonly exit: () => string | undefined;
  readonly terminate: () => Promise<void>;
}

/** A result that is looked at by us, not by the client: one bad item in a list shall not cost the list. */
const AS_IT_IS = { '~standard': { version: 1, vendor: 'codelab', validate: (value: unknown) => ({ value }) } } as const;

/** One connection to one server, from its handshake to its end. */
export class ServerSession {
  /** Before the handshake is over its failure is told by the one who waits for it. */
  private isBegun = false;
  private isClosed = false;
  private running = 0;
  private cancelPing: () => void = () => undefined;
  private readonly listens = new Set<McpSubscription>();

  constructor(
    private readonly client: Client,
    private readonly made: SessionTransport,
    private readonly options: SessionOptions,
  ) {
    client.onclose = () => this.lose();
    client.onerror = (error) => {
      if (made.kind === 'sse' && error.name === 'SseError') void made.transport.close();
    };
  }

  get transport(): 'stdio' | 'http' | 'sse' {
    return this.made.kind;
  }

  get capabilities(): ServerCapabilities {
    return this.client.getServerCapabilities() ?? {};
  }

  get info(): { readonly name: string; readonly version: string } | undefined {
    return this.client.getServerVersion();
  }

  get instructions(): string | undefined {
    return this.client.getInstructions();
  }

  get protocol(): string | undefined {
    return this.client.getNegotiatedProtocolVersion();
  }

  get stderr(): string {
    return this.made.stderr();
  }

  /** What the next connection need not find out again. */
  get prior(): PriorDiscovery | undefined {
    return this.client.getProtocolEra() === 'legacy' ? { kind: 'legacy' } : undefined;
  }

  private get isModern(): boolean {
    return this.client.getProtocolEra() === 'modern';
  }

  /** Follows what the server tells of its own accord. */
  begin(): void {
    const { client, options } = this;
    this.isBegun = true;
    for (const [kind, method] of Object.entries(LIST_CHANGED)) {
      client.setNotificationHandler(method, () => options.onListChanged(kind as ListKind));
    }
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => options.onResourceUpdated(params.uri));
    client.setNotificationHandler('notifications/message', ({ params }) => options.onServerLog(params.level, textOf(params.data)));
    if (this.isModern) void this.listenToLists();
    else if (this.capabilities.logging !== undefined) client.setLoggingLevel('info').catch(() => undefined);
    this.schedulePing();
  }

  /** One page of a list, unchecked. */
  listPage(
    method: 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list',
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<unknown> {
    return this.client.request({ method, params: cursor === undefined ? {} : { cursor } }, AS_IT_IS, { signal, timeout: 30_000 });
  }

  callTool(tool: McpTool, args: Readonly<Record<string, unknown>>, options: RequestOptions): Promise<CallToolResult> {
    const logs = this.isModern && this.capabilities.logging !== undefined;
    const inputSchema = tool.inputSchema as { type: 'object' };
    const params = { name: tool.tool, arguments: { ...args }, ...(logs && { _meta: { [LOG_LEVEL_META_KEY]: 'info' as const } }) };
    // Without its output schema: a result that does not match it is a note of ours, not a failure.
    return this.run(() => this.client.callTool(params, { ...options, toolDefinition: { name: tool.tool, inputSchema } }));
  }

  readResource(uri: string, options: RequestOptions): Promise<ReadResourceResult> {
    return this.run(() => this.client.readResource({ uri }, { ...options, cacheMode: 'bypass' }));
  }

  getPrompt(name: string, args: Readonly<Record<string, string>>, options: RequestOptions): Promise<GetPromptResult> {
    return this.run(() => this.client.getPrompt({ name, arguments: { ...args } }, options));
  }

  complete({ ref, argument, context }: Completion, options: RequestOptions): Promise<CompleteResult> {
    const known = context === undefined ? {} : { context: { arguments: { ...context } } };
    return this.run(() => this.client.complete({ ref, argument, ...known }, options));
  }

  /** Follows a resource until the function that it answers is called. */
  async watch(uri: string): Promise<() => Promise<void>> {
    if (this.isModern) {
      const listening = await this.client.listen({ resourceSubscriptions: [uri] });
      this.listens.add(listening);
      return async () => {
        this.listens.delete(listening);
        await listening.close();
      };
    }
    await this.client.subscribeResource({ uri });
    return async () => {
      await this.client.unsubscribeResource({ uri }).catch(() => undefined);
    };
  }

  rootsChanged(): void {
    if (!this.isModern && !this.isClosed) this.client.sendRootsListChanged().catch(() => undefined);
  }

  async close(): Promise<void> {
    if (this.isClosed) return this.made.transport.close();
    this.isClosed = true;
    this.cancelPing();
    let cancelWait: (() => void) | undefined;
    const waited = new Promise<void>((resolve) => (cancelWait = this.options.clock.after(TERMINATE_MS, resolve)));
    await Promise.race([this.made.terminate(), waited]);
    cancelWait?.();
    await this.made.transport.close().catch(() => undefined);
    await this.client.close().catch(() => undefined);
  }

  private async run<T>(request: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await request();
    } finally {
      this.running -= 1;
    }
  }

  private async listenToLists(): Promise<void> {
    const { tools, resources, prompts } = this.capabilities;
    const filter = {
      ...(tools?.listChanged === true && { toolsListChanged: true }),
      ...(resources?.listChanged === true && { resourcesListChanged: true }),
      ...(prompts?.listChanged === true && { promptsListChanged: true }),
    };
    if (Object.keys(filter).length === 0) return;
    try {
      this.listens.add(await this.client.listen(filter));
    } catch {
      this.options.onMisconduct('It does not tell when its lists change.');
    }
  }

  private schedulePing(): void {
    if (this.isModern) return; // it has no ping; a dead server shows at the next request
    this.cancelPing = this.options.clock.after(PING_EVERY_MS, () => {
      if (this.isClosed) return;
      if (this.running > 0) return this.schedulePing();
      this.client.ping({ timeout: PING_TIMEOUT_MS }).then(
        () => this.schedulePing(),
        (error: unknown) => {
          // An error of the protocol is an answer, too: it is there.
          if (error instanceof Error && error.name === 'ProtocolError') return this.schedulePing();
          void this.made.transport.close().catch(() => undefined);
        },
      );
    });
  }

  private lose(): void {
    if (this.isClosed || !this.isBegun) return;
    this.isClosed = true;
    this.cancelPing();
    const { why } = this.made.transport as { readonly why?: string };
    this.options.onLost(why ?? this.made.exit() ?? 'the connection ended');
  }
}

const textOf = (data: unknown): string => {
  if (typeof data === 'string') return data;
  try {
    return JSON.stringify(data) ?? '';
  } catch {
    return '';
  }
};
