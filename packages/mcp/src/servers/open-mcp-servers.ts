import { systemClock, type Clock } from '@codelab/clock';
import type {
  CallToolResult,
  CompleteResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from '@modelcontextprotocol/client';
import type { McpServerConfig } from '../config/mcp-server-config.js';
import { rootMessage } from '../connection/connect-failure.js';
import { cleanLine } from '../lists/clean-text.js';
import { logIn } from '../oauth/log-in.js';
import { memoryOAuthStore } from '../oauth/memory-oauth-store.js';
import type { OAuthStore } from '../oauth/oauth-store.js';
import { ServerAuth } from '../oauth/server-auth.js';
import { McpError } from './mcp-error.js';
import type { McpHooks } from './mcp-hooks.js';
import type { McpServerState, McpTool } from './mcp-server-state.js';
import type { CallOptions, Completion, FromServer, McpServers } from './mcp-servers.js';
import { ServerCalls } from './server-calls.js';
import { ServerLink } from './server-link.js';
import type { ServerLists } from './server-lists.js';

export interface OpenMcpServersOptions {
  /** Names differ; of two with one name the first counts. */
  readonly servers: readonly McpServerConfig[];
  /** What servers are told about us. */
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** The folder in which programs are started. */
  readonly cwd: string;
  /** The environment of every program, before that of its configuration: `PATH`, `HOME` and the like, and no secret. */
  readonly environment: Readonly<Record<string, string>>;
  readonly hooks?: McpHooks;
  /** For a connection with its handshake, in milliseconds; 30,000. */
  readonly connectTimeoutMs?: number;
}

const CONNECT_MS = 30_000;
const CHANGE_MS = 100;
const CHANGED_EVERY_MS = 1_000;

/** Makes the manager of some servers; nothing is connected before {@link McpServers.start}. */
export function openMcpServers(options: OpenMcpServersOptions): McpServers {
  return new Manager(options);
}

interface Entry {
  readonly link: ServerLink;
  readonly calls: ServerCalls;
  readonly auth: ServerAuth | undefined;
}

class Manager implements McpServers {
  private readonly entries = new Map<string, Entry>();
  private readonly listeners = new Set<() => void>();
  private readonly watchers = new Map<string, Set<() => void>>();
  private readonly hooks: McpHooks;
  private readonly clock: Clock;
  private readonly store: OAuthStore;
  private readonly fetch: typeof globalThis.fetch;
  private cancelChange: (() => void) | undefined;
  private readonly closing = new AbortController();
  private known: { readonly lists: readonly (readonly McpTool[])[]; readonly tools: readonly McpTool[] } = { lists: [], tools: [] };

  constructor(private readonly options: OpenMcpServersOptions) {
    this.hooks = options.hooks ?? {};
    this.clock = this.hooks.clock ?? systemClock;
    this.store = this.hooks.tokenStore ?? memoryOAuthStore();
    this.fetch = this.hooks.fetch ?? globalThis.fetch;
    for (const config of options.servers) if (!this.entries.has(config.name)) this.entries.set(config.name, this.toEntry(config));
  }

  async start(): Promise<void> {
    const links = [...this.entries.values()].map(({ link }) => link);
    await Promise.all(links.filter(({ status }) => status.kind !== 'disabled').map((link) => link.connect()));
  }

  servers(): readonly McpServerState[] {
    return [...this.entries.values()].map(({ link }) => link.describe());
  }

  tools(): readonly McpTool[] {
    const lists = [...this.entries.values()].map(({ link }) => link.lists.tools);
    const isKnown = lists.length === this.known.lists.length && lists.every((list, index) => list === this.known.lists[index]);
    if (!isKnown) this.known = { lists, tools: lists.flat() };
    return this.known.tools;
  }

  async callTool(
    server: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<CallToolResult> {
    return this.find(server).calls.callTool(tool, args, options);
  }

  resources(): readonly FromServer<Resource>[] {
    return this.collect(({ resources }) => resources);
  }

  resourceTemplates(): readonly FromServer<ResourceTemplateType>[] {
    return this.collect(({ templates }) => templates);
  }

  prompts(): readonly FromServer<Prompt>[] {
    return this.collect(({ prompts }) => prompts);
  }

  async readResource(server: string, uri: string, options: CallOptions = {}): Promise<ReadResourceResult> {
    return this.find(server).calls.readResource(uri, options);
  }

  async getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: CallOptions = {},
  ): Promise<GetPromptResult> {
    return this.find(server).calls.getPrompt(name, args, options);
  }

  async complete(server: string, completion: Completion, options: CallOptions = {}): Promise<CompleteResult['completion']> {
    return this.find(server).calls.complete(completion, options);
  }

  async watchResource(server: string, uri: string, listener: () => void): Promise<() => Promise<void>> {
    const { calls } = this.find(server);
    const key = `${server} ${uri}`;
    const told = this.atMostOnceASecond(listener);
    const stop = await calls.watch(uri);
    const watchers = this.watchers.get(key) ?? new Set();
    this.watchers.set(key, watchers.add(told));
    return async () => {
      watchers.delete(told);
      if (watchers.size > 0) return;
      this.watchers.delete(key);
      await stop();
    };
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  rootsChanged(): void {
    for (const { link } of this.entries.values()) link.ready?.rootsChanged();
  }

  async reconnect(server: string): Promise<void> {
    const { link } = this.find(server);
    if (!this.closing.signal.aborted) await link.connect();
  }

  async disable(server: string): Promise<void> {
    await this.find(server).link.disable();
  }

  async login(server: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    const { link, auth } = this.find(server);
    const { openBrowser } = this.hooks;
    const { transport } = link.config;
    if (transport.kind === 'stdio' || auth === undefined)
      throw new McpError('REFUSED', `The MCP server ${server} is a program; it has no login of ours.`);
    if (openBrowser === undefined) throw new McpError('REFUSED', `There is no browser here to log in to the MCP server ${server}.`);
    try {
      await logIn({
        server,
        url: new URL(transport.url),
        settings: transport.oauth ?? {},
        challenge: auth.challenge,
        clientName: this.options.clientInfo.name,
        store: this.store,
        fetch: this.fetch,
        clock: this.clock,
        openBrowser: (url) => openBrowser(url, server),
        signal: signal === undefined ? this.closing.signal : AbortSignal.any([signal, this.closing.signal]),
      });
    } catch (error) {
      throw new McpError('REFUSED', `The login to the MCP server ${server} failed: ${cleanLine(rootMessage(error), 300)}.`, {
        cause: error,
      });
    }
    await this.reconnect(server);
  }

  async logout(server: string): Promise<void> {
    this.find(server);
    await this.store.locked(server, () => this.store.remove(server));
    await this.reconnect(server);
  }

  async close(): Promise<void> {
    this.closing.abort(); // ends logins that are waited for, too
    this.listeners.clear();
    this.watchers.clear();
    this.cancelChange?.();
    await Promise.all([...this.entries.values()].map(({ link }) => link.disable().catch(() => undefined)));
  }

  private toEntry(config: McpServerConfig): Entry {
    const { name, transport } = config;
    const { clock, store, fetch, hooks } = this;
    const auth =
      transport.kind === 'stdio' ? undefined : new ServerAuth({ server: name, url: new URL(transport.url), store, fetch, clock });
    const link: ServerLink = new ServerLink({
      ...this.options,
      config,
      hooks,
      clock,
      fetch,
      connectTimeoutMs: this.options.connectTimeoutMs ?? CONNECT_MS,
      auth,
      loginHint: hooks.openBrowser === undefined ? 'Give it a token in its headers.' : `Log in with: codelab mcp login ${name}`,
      onChange: () => this.change(),
      onResourceUpdated: (uri) => this.watchers.get(`${name} ${uri}`)?.forEach((tell) => tell()),
      onServerLog: (text) => calls.log(text),
      random: Math.random,
    });
    const calls = new ServerCalls(link, clock);
    return { link, calls, auth };
  }

  private find(server: string): Entry {
    const entry = this.entries.get(server);
    if (entry === undefined) throw new McpError('UNKNOWN_SERVER', `There is no MCP server ${JSON.stringify(server.slice(0, 100))}.`);
    return entry;
  }

  private collect<T extends object>(read: (lists: ServerLists) => readonly T[]): readonly FromServer<T>[] {
    return [...this.entries].flatMap(([server, { link }]) => read(link.lists).map((item) => ({ ...item, server })));
  }

  private change(): void {
    if (this.closing.signal.aborted || this.cancelChange !== undefined) return;
    this.cancelChange = this.clock.after(CHANGE_MS, () => {
      this.cancelChange = undefined;
      for (const listener of [...this.listeners]) listener();
    });
  }

  private atMostOnceASecond(listener: () => void): () => void {
    let isWaiting = false;
    let toldAt = -Infinity;
    return () => {
      if (isWaiting || this.closing.signal.aborted) return;
      isWaiting = true;
      this.clock.after(Math.max(0, toldAt + CHANGED_EVERY_MS - this.clock.now()), () => {
        isWaiting = false;
        toldAt = this.clock.now();
        if (!this.closing.signal.aborted) listener();
      });
    };
  }
}
