/** A server that is a program of this machine: it is started, and spoken to over its standard input and output. */
export interface StdioServer {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the few variables that every server gets (`PATH`, `HOME`, …); nothing else of our environment reaches it. */
  readonly env: Readonly<Record<string, string>>;
  /** Relative to the folder that the manager was given; absent: that folder. */
  readonly cwd?: string;
}

/** A server at a URL: Streamable HTTP (`http`; it falls back to the former transport where a server knows only that) or the former one (`sse`). */
export interface RemoteServer {
  readonly kind: 'http' | 'sse';
  readonly url: string;
  /** Sent with every request to the server's own origin, and to no other. */
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings;
}

/** What a server's login needs to know beforehand; without it the client registers itself. */
export interface OAuthSettings {
  /** A client that was registered by hand, or the `https:` URL of a client metadata document. */
  readonly clientId?: string;
  /** The secret of that client, where it has one. */
  readonly clientSecret?: string;
  /** The scopes to ask for, separated by spaces; absent: what the server asks for. */
  readonly scope?: string;
  /** The port that the browser comes back to, where it was registered; absent: a free one. */
  readonly redirectPort?: number;
}

/** One server of a configuration, checked and with its variables put in. */
export interface McpServerConfig {
  /** Its name in the configuration: `[a-zA-Z0-9-]` and single underscores, 1 to 32 characters. */
  readonly name: string;
  readonly transport: StdioServer | RemoteServer;
  /** Where it comes from, for one that not everything may be taken for that has its name: part of the digests of its tools. */
  readonly origin?: string;
  /** How long a call may take without a sign of progress, in milliseconds; absent: 60,000. */
  readonly timeoutMs?: number;
  /** Which tools are offered: names, `*` stands for any text. Absent: all. */
  readonly includeTools?: readonly string[];
  /** Which tools are left out, even where {@link includeTools} names them. */
  readonly excludeTools?: readonly string[];
  /** It is known, but not connected. */
  readonly disabled?: boolean;
  /** Whether it may ask for answers of a model; only a server that has it is offered sampling. */
  readonly sampling?: boolean;
}

/** Why a server, or a whole file, is not used. */
export interface McpConfigProblem {
  /** The file as it was handed in. */
  readonly file: string;
  /** The line it is about, from 1. */
  readonly line: number;
  /** The server; absent where it is about the whole file. */
  readonly server?: string;
  /** The field, as a path (`mcpServers.files.args[1]`). */
  readonly field: string;
  /** What is wrong and what to do, one sentence, without the value of a variable. */
  readonly message: string;
}

/** What a file gave: its good servers, and what is wrong with the others. */
export interface ParsedMcpConfig {
  readonly servers: readonly McpServerConfig[];
  readonly problems: readonly McpConfigProblem[];
}
