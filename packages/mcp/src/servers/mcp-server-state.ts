import type { ToolAnnotations } from '@modelcontextprotocol/client';

/** Where a server stands. `disabled`: the configuration says so, or the manager is closed. */
export type McpServerStatus =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'ready' }
  /** `retryAt`: Unix milliseconds of the next attempt; absent: none follows until somebody asks for one. */
  | { readonly kind: 'failed'; readonly why: string; readonly retryAt?: number }
  /** `how`: a sentence that says what to do. */
  | { readonly kind: 'needs_login'; readonly how: string }
  | { readonly kind: 'disabled' };

/** One server as a person would be told about it. */
export interface McpServerState {
  /** Its name in the configuration. */
  readonly name: string;
  readonly status: McpServerStatus;
  /** What it runs on: `stdio`, `http` or `sse`, as it is connected now. */
  readonly transport: 'stdio' | 'http' | 'sse';
  /** What the server calls itself, cleaned and cut; absent before the first connection. */
  readonly title?: string;
  readonly version?: string;
  /** The protocol that was agreed on, as a date. */
  readonly protocol?: string;
  /** What the server says about itself for models, at most 4,000 characters. Untrusted. */
  readonly instructions?: string;
  readonly tools: number;
  readonly resources: number;
  readonly resourceTemplates: number;
  readonly prompts: number;
  /** What was left out or cut, and what a server did that it should not; at most 20 sentences. */
  readonly notes: readonly string[];
  /** The end of what a program wrote to its standard error, at most 4,000 characters. Untrusted. */
  readonly stderr?: string;
}

/** One tool of one server. Everything but `server` and `wireName` is the server's word, cleaned and bounded. */
export interface McpTool {
  readonly server: string;
  /** Its name at the server, as it is sent there. */
  readonly tool: string;
  /** `mcp__<server>__<tool>`. */
  readonly wireName: string;
  readonly title?: string;
  /** At most 2,048 characters. */
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** Hints, not facts: they never make a tool less dangerous than it is taken for. */
  readonly annotations: ToolAnnotations;
  /** SHA-256 (hex) of name, description, both schemas and what the server is: a changed tool has another one, and so has another server's. */
  readonly digest: string;
}
