import type { Owner } from './session-ref.js';

/** A tool that llm-proxy runs by URL for its owner. `headers` may hold secrets: they leave Redis only to be sent to `url`. */
export interface ServerTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  /** How long a call may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** Tools by URL that one person can have. */
export const MAX_SERVER_TOOLS = 100;

/** The tools by URL that people registered, durable until they are removed. Methods throw `BusError` when Redis is away. */
export interface ServerTools {
  /** Keeps a tool; one of the same name is replaced. `full`: there are {@link MAX_SERVER_TOOLS} others. */
  keep(owner: Owner, tool: ServerTool): Promise<'new' | 'replaced' | 'full'>;
  /** `false`: there was none of this name. */
  drop(owner: Owner, name: string): Promise<boolean>;
  /** By name, in the order of their code units. */
  list(owner: Owner): Promise<readonly ServerTool[]>;
}
