import type { JsonSchema } from '@codelab/tools';

/**
 * The shape of `codelab.tools.yaml`: the tools that the servers run themselves. Keys come from the environment only: the file names variables.
 * A text may refer to one as `${env:NAME}`, or to a secret of `secrets` as `${secret:NAME}`.
 */
export interface ToolsFile {
  /** By the name that stands in the names of their tools: `mcp__<name>__<tool>`. */
  readonly mcp_servers: Readonly<Record<string, McpServerEntry>>;
  /** By the name that models call. */
  readonly tools: Readonly<Record<string, UrlToolEntry>>;
  /** How `web.search` searches; absent: it says that nobody set it up. */
  readonly search?: SearchEntry;
  /** By the name that references use. */
  readonly secrets: Readonly<Record<string, SecretEntry>>;
}

/** Who sees an entry; neither field: everybody. */
export interface Audience {
  /** `tenant/sub`, `tenant/*` or `*`. */
  readonly owners?: readonly string[];
  readonly tenants?: readonly string[];
}

/** A remote MCP server, reached with the operator's credentials, whoever asks. */
export interface McpServerEntry extends Audience {
  readonly url: string;
  /** `http`: Streamable HTTP. Default: `http`. */
  readonly transport?: 'http' | 'sse';
  /** Values may refer to variables and secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The environment variable that holds a bearer token. */
  readonly token_env?: string;
  /** A token is asked for with these, and asked for again when it is over. */
  readonly oauth?: ClientCredentials;
  /** How long a call may take. Default: 60,000. */
  readonly timeout_ms?: number;
  /** Which tools there are, `*` as wildcard. `exclude` beats `include`; default: all. */
  readonly tools?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
  /** Whether models may read its resources. Default: true. */
  readonly resources?: boolean;
  readonly policy?: EntryPolicy;
}

/** OAuth 2.1 client credentials: a service that speaks for itself. */
export interface ClientCredentials {
  readonly client_id: string;
  readonly client_secret_env: string;
  /** Never what the server says of itself: the secret would go there. */
  readonly token_url: string;
  readonly scope?: string;
}

/** It only narrows: `ask` puts every call to a human, whatever rules allow; `deny` refuses every call. Default: humans and their rules decide. */
export type EntryPolicy = 'ask' | 'deny';

/** A tool behind a URL: `POST {"arguments": …}` → `{"output": [...]}` or `{"error": …}`. */
export interface UrlToolEntry extends Audience {
  readonly description: string;
  /** JSON Schema of the arguments, of an object. */
  readonly input_schema: JsonSchema;
  readonly url: string;
  /** Values may refer to variables and secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly tags?: readonly string[];
  /** How long a call may take. Default: 60,000. */
  readonly timeout_ms?: number;
  /** A `safe` one may be asked again after a failure. Default: `unsafe`. */
  readonly idempotency?: 'safe' | 'unsafe';
  readonly policy?: EntryPolicy;
}

/** Whom `web.search` asks. */
export interface SearchEntry {
  /** `http`: any endpoint that answers JSON. */
  readonly provider: 'searxng' | 'brave' | 'tavily' | 'http';
  /** Of SearXNG the base; of `brave` and `tavily` another endpoint than theirs; of `http` a template with `{query}` and perhaps `{limit}`. */
  readonly url?: string;
  /** The environment variable that holds the key. */
  readonly api_key_env?: string;
  /** Values may refer to variables and secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the hits stand in the answer of `http`, names joined by dots; default: `results`. */
  readonly results?: string;
  /** Where the parts stand in a hit, names joined by dots; default: `title`, `url`, `snippet`, and no `content`. */
  readonly title?: string;
  readonly link?: string;
  readonly snippet?: string;
  /** The text of the page, where the endpoint answers it. */
  readonly content?: string;
  /** Hits of one search at most. Default: 10. */
  readonly max_results?: number;
  readonly timeout_ms?: number;
}

/** A secret that headers of servers and tools may refer to, those that people register too. Its value is never shown. */
export interface SecretEntry extends Audience {
  /** The environment variable that holds it. */
  readonly env: string;
  /** Where it may be sent: names of hosts, `*.example.com` for all below one, each at the usual port of the URL's scheme or at `:PORT`. */
  readonly hosts: readonly string[];
}
