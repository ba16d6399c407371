import type {
  CallToolResult,
  CompleteResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from '@modelcontextprotocol/client';
import type { McpServerState, McpTool } from './mcp-server-state.js';

/** How a call is made. */
export interface CallOptions {
  /** Aborts: the server is told, and the promise is rejected with `CANCELLED` at once. */
  readonly signal?: AbortSignal;
  /** Lines of progress and of the server's log while it runs; at most 20 a second, the newest counts. */
  readonly onProgress?: (line: string) => void;
  /** Without a sign of progress, in milliseconds; absent: that of the configuration, else 60,000. Ten times as long with progress. */
  readonly timeoutMs?: number;
}

/** Something of a server, with the server's name. */
export type FromServer<T> = T & { readonly server: string };

/** What the value of an argument is completed for. */
export interface Completion {
  readonly ref: { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** What was already filled in. */
  readonly context?: Readonly<Record<string, string>>;
}

/**
 * The MCP servers of a configuration, each with a connection of its own. A server that misbehaves costs one call or itself; the lists are
 * what was last heard, bounded, and empty for servers that are not there. Every failure is an `McpError`.
 */
export interface McpServers {
  /** Connects them all. Resolves when each is `ready`, `failed` or `needs_login` for the first time; never rejects. */
  start(): Promise<void>;
  /** In the order of the configuration. */
  servers(): readonly McpServerState[];
  /** The tools of the servers that are ready. The same array while nothing changed. */
  tools(): readonly McpTool[];
  /**
   * Calls a tool, once: nothing that may have reached the server is ever repeated. While the server is being reconnected it waits for up to
   * 10 seconds. A tool that failed is a result with `isError`.
   */
  callTool(server: string, tool: string, args: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<CallToolResult>;
  resources(): readonly FromServer<Resource>[];
  resourceTemplates(): readonly FromServer<ResourceTemplateType>[];
  readResource(server: string, uri: string, options?: CallOptions): Promise<ReadResourceResult>;
  /** Follows a resource; `listener` is called when the server says that it changed, at most once a second. Returns the end of it. */
  watchResource(server: string, uri: string, listener: () => void): Promise<() => Promise<void>>;
  prompts(): readonly FromServer<Prompt>[];
  getPrompt(server: string, name: string, args?: Readonly<Record<string, string>>, options?: CallOptions): Promise<GetPromptResult>;
  /** At most 100 values; none where the server completes nothing. */
  complete(server: string, completion: Completion, options?: CallOptions): Promise<CompleteResult['completion']>;
  /** Called, at most every 100 ms, after a state or a list changed. Returns the end of it. */
  onChange(listener: () => void): () => void;
  /** Tells the servers that the roots are others now. */
  rootsChanged(): void;
  /** Closes the connection, if there is one, and connects at once. Resolves as {@link start} does. */
  reconnect(server: string): Promise<void>;
  /** Closes the connection and makes none until {@link reconnect}. */
  disable(server: string): Promise<void>;
  /** Logs in with the browser, then connects. Rejects with what went wrong. */
  login(server: string, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Forgets the login of a server, then connects without it. */
  logout(server: string): Promise<void>;
  /** Ends every connection and every program that was started, within about 5 seconds. */
  close(): Promise<void>;
}
