import type { Clock } from '@codelab/clock';
import type { AuthProvider, PriorDiscovery } from '@modelcontextprotocol/client';
import type { McpServerConfig } from '../config/mcp-server-config.js';
import type { McpHooks } from '../servers/mcp-hooks.js';

/** The lists that a server can have. */
export type ListKind = 'tools' | 'resources' | 'prompts';

/** What one connection needs, and whom it tells. */
export interface SessionOptions {
  readonly config: McpServerConfig;
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Where programs are started. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly hooks: McpHooks;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  readonly connectTimeoutMs: number;
  /** For servers at a URL. */
  readonly auth?: AuthProvider;
  /** What an earlier connection found out about the protocol. */
  readonly prior?: PriorDiscovery;
  /** Gives up a connection that is being made. */
  readonly signal: AbortSignal;
  readonly onListChanged: (kind: ListKind) => void;
  readonly onResourceUpdated: (uri: string) => void;
  readonly onServerLog: (level: string, text: string) => void;
  /** The server did what it should not. */
  readonly onMisconduct: (sentence: string) => void;
  /** The connection ended, once; `why` is a phrase. Not called for {@link ServerSession.close}. */
  readonly onLost: (why: string) => void;
}
