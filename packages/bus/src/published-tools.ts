/**
 * A tool that the runtimes run, as they tell the proxies of it: what anybody may read who may call it. Where it is, and what is sent there,
 * is never part of it.
 */
export interface PublishedTool {
  /** On the wire: `mcp__server__tool`, `web.fetch`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** `web`: of the runtime itself · `mcp`: of an MCP server of the tools file · `http`: of the tools file, behind a URL. */
  readonly source: 'web' | 'mcp' | 'http';
  readonly access: 'readonly' | 'write';
  readonly tags: readonly string[];
  /** Of an MCP server's tool: `mcp://server/tool`. */
  readonly uri?: string;
  /** Who alone sees it: `tenant/name`, `tenant/*` or `*`. Neither this nor `tenants`: everybody. */
  readonly owners?: readonly string[];
  readonly tenants?: readonly string[];
}

/** How long the word of a runtime counts that says nothing more, in milliseconds. */
export const PUBLISHED_TOOLS_TTL_MS = 15_000;

/** How often a runtime repeats itself. */
export const PUBLISHED_TOOLS_PAUSE_MS = 5_000;

/** What one runtime publishes at most: tools, and bytes of them as JSON. */
export const MAX_PUBLISHED_TOOLS = 1_024;
export const MAX_PUBLISHED_BYTES = 2 * 1024 * 1024;

/**
 * What the runtimes tell the proxies of the tools that they alone know, because no service calls another. Each runtime speaks for itself and
 * for a while; what all of them say together is there. Methods throw `BusError` when Redis is away.
 */
export interface PublishedTools {
  /** Says what this process runs, in place of what it said before. One call at a time. */
  publish(tools: readonly PublishedTool[]): Promise<void>;
  /** This process runs none of them any more. */
  withdraw(): Promise<void>;
  /** What the runtimes run now, whoever may see it. What several say alike is there once; what they say differently, each way. */
  read(): Promise<readonly PublishedTool[]>;
}
