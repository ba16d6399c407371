import type { Owner, SessionRef } from './session-ref.js';

/**
 * A tool that the servers run for its owner: behind a URL, or of an MCP server that the operator lists. `headers` may hold secrets: they leave
 * Redis only to be sent to `url`.
 */
export interface ServerTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** `http(s)://…`, or `mcp://server/tool`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  /** How long a call may take, in milliseconds. */
  readonly timeoutMs: number;
  /** `safe`: a call may be repeated. Absent: it may not. */
  readonly idempotency?: 'safe' | 'unsafe';
}

/** Tools that one person can have, and as many more for each session. */
export const MAX_SERVER_TOOLS = 100;

/**
 * The tools that people registered, durable until they are removed: for all of their sessions, or for one, with which they go. Methods throw
 * `BusError` when Redis is away.
 */
export interface ServerTools {
  /** Keeps a tool; one of the same name is replaced. `full`: there are {@link MAX_SERVER_TOOLS} others. */
  keep(owner: Owner, tool: ServerTool, session?: SessionRef): Promise<'new' | 'replaced' | 'full'>;
  /** `false`: there was none of this name. */
  drop(owner: Owner, name: string, session?: SessionRef): Promise<boolean>;
  /** By name, in the order of their code units. With a session its own, too, which hide those of the same name. */
  list(owner: Owner, session?: SessionRef): Promise<readonly ServerTool[]>;
}
