import { createHash } from 'node:crypto';
import type { SessionRef, ToolRevisions } from '@codelab/bus';
import { isFor, type McpServerEntry } from '@codelab/config-file';
import { McpError, type McpServers, type McpTool } from '@codelab/mcp';
import type { JsonObject } from '@codelab/tools';
import type { EventLog } from '../../session/runtime-ports.js';
import { hideInJson, hideValues, sentValues } from '../hide-values.js';
import { NO_TOOLS } from '../join-sources.js';
import type { ServerOutcome, ServerRun, ServerTool, ServerToolSource } from '../server-tool.js';
import { entryPolicy } from './entry-policy.js';
import { toMcpFailure } from './mcp-outcome.js';

const DEFAULT_TIMEOUT_MS = 60_000;

/** With signs of progress a call may take so many times as long; the connection sees to the time without them. */
const PROGRESS_FACTOR = 10;

/** How long the first session of a process waits for a server that is still being connected. */
const FIRST_WAIT_MS = 3_000;

/** Nobody knows since when a tool is what it is: no rule counts. */
const UNKNOWN_SINCE = Number.MAX_SAFE_INTEGER;

/** What a server is asked through: its one connection, which all sessions share. */
export type McpConnection = Pick<McpServers, 'start' | 'tools' | 'callTool' | 'onChange'>;

/** A server of the tools file. */
export interface McpServerOfFile {
  readonly name: string;
  readonly entry: McpServerEntry;
  readonly connection: McpConnection;
  /** What the operator gave it in secret: nobody reads it, though the server may say it. */
  readonly secrets?: readonly string[];
}

export interface McpToolPorts {
  readonly servers: readonly McpServerOfFile[];
  readonly revisions: ToolRevisions;
  readonly log: EventLog;
  /** Told what became of each call. */
  readonly onCall?: (server: string, outcome: string) => void;
}

/**
 * The tools of the remote MCP servers of the tools file. One connection to a server, with the operator's credentials, serves every session of the
 * process that may see it. What a server does wrong costs the call, or its own tools.
 */
export class McpTools implements ServerToolSource {
  private readonly servers: readonly ServerOffer[];
  private readonly lists = new Map<string, readonly ServerTool[]>();

  constructor(ports: McpToolPorts) {
    this.servers = ports.servers
      .filter(({ entry }) => entry.policy !== 'deny')
      .map((server) => new ServerOffer(server, ports, () => this.lists.clear()));
  }

  /** Begins to connect; never rejects, and nobody need wait. */
  start(): void {
    for (const server of this.servers) server.start();
  }

  async list({ owner }: SessionRef): Promise<readonly ServerTool[]> {
    const seen = this.servers.filter(({ entry }) => isFor(entry, owner));
    if (seen.length === 0) return NO_TOOLS;
    await Promise.all(seen.map((server) => server.ready()));
    const key = seen.map(({ name }) => name).join();
    const known = this.lists.get(key) ?? seen.flatMap(({ tools }) => tools);
    this.lists.set(key, known);
    return known;
  }
}

/** What one server offers now. */
class ServerOffer {
  tools: readonly ServerTool[] = NO_TOOLS;
  readonly name: string;
  readonly entry: McpServerEntry;
  private readonly connection: McpConnection;
  private readonly hidden: readonly string[];
  private known: readonly McpTool[] = [];
  private since: ReadonlyMap<string, number> | undefined;
  private noting: Promise<void> | undefined;
  private first: Promise<void> | undefined;

  constructor(
    server: McpServerOfFile,
    private readonly ports: McpToolPorts,
    private readonly onChange: () => void,
  ) {
    this.name = server.name;
    this.entry = server.entry;
    this.connection = server.connection;
    this.hidden = sentValues(server.secrets ?? []);
  }

  start(): void {
    this.connection.onChange(() => void this.look());
    const waited = new Promise<void>((resolve) => setTimeout(resolve, FIRST_WAIT_MS).unref());
    this.first = Promise.race([this.connection.start(), waited]).then(
      () => this.look(),
      () => undefined,
    );
  }

  /** Resolves when the tools are known as far as they will be soon. */
  async ready(): Promise<void> {
    await this.first;
    await this.look();
  }

  /** Takes what the server offers now, and since when it has said so. */
  private look(): Promise<void> {
    const tools = this.connection.tools();
    if (tools === this.known && this.since !== undefined) return Promise.resolve();
    this.noting ??= this.note(tools).finally(() => (this.noting = undefined));
    return this.noting;
  }

  private async note(tools: readonly McpTool[]): Promise<void> {
    const { revisions, log } = this.ports;
    const digests = new Map(tools.map((tool) => [tool.tool, digestOf(tool, this.entry)]));
    let since: ReadonlyMap<string, number> | undefined;
    try {
      since = await revisions.note(this.name, digests);
    } catch (error) {
      log.warn({ event: 'mcp.revisions_unknown', server: this.name, name: error instanceof Error ? error.name : 'unknown' }); // the next look tries again
    }
    if (tools === this.known && since === undefined) return;
    this.known = tools;
    this.since = since;
    this.tools = tools.map((tool) => this.toTool(tool, since?.get(tool.tool) ?? UNKNOWN_SINCE));
    this.onChange();
    log.info({ event: 'mcp.tools', server: this.name, tools: tools.length });
  }

  private toTool(tool: McpTool, changedAtMs: number): ServerTool {
    const { timeout_ms: timeoutMs = DEFAULT_TIMEOUT_MS, policy } = this.entry;
    return {
      definition: {
        ...{ name: tool.wireName, description: tool.description, parameters: tool.inputSchema, changedAtMs },
        ...{ since: '1.0', group: 'process', access: 'write', idempotency: 'unsafe', source: 'mcp' }, // whatever it says of itself
        deadlineMs: timeoutMs * PROGRESS_FACTOR,
      },
      policy: entryPolicy(policy, `calls a tool of the MCP server ${this.name}`),
      run: (args, run) => this.call(tool, args, run),
    };
  }

  private async call({ tool }: McpTool, args: Readonly<Record<string, unknown>>, run: ServerRun): Promise<ServerOutcome> {
    const { timeout_ms: timeoutMs = DEFAULT_TIMEOUT_MS } = this.entry;
    const options = { signal: run.signal, timeoutMs, onProgress: (line: string) => run.onOutput(`${hideValues(line, this.hidden)}\n`) };
    try {
      const result = await this.connection.callTool(this.name, tool, args, options);
      this.ports.onCall?.(this.name, result.isError === true ? 'tool_error' : 'ok');
      if (this.hidden.length === 0) return { ok: true, result: result as unknown as JsonObject }; // it came as JSON
      return { ok: true, result: JSON.parse(hideInJson(JSON.stringify(result), this.hidden)) as JsonObject };
    } catch (error) {
      const failure = error instanceof McpError ? toMcpFailure(error) : undefined;
      this.ports.onCall?.(this.name, failure?.error.code ?? 'fault');
      if (failure === undefined) throw error;
      const { code, message } = failure.error;
      return { ok: false, error: { code, message: hideValues(message, this.hidden) } };
    }
  }
}

/** Another server under the same name is another one, whatever it says. */
const digestOf = ({ digest }: McpTool, { url }: McpServerEntry): string => createHash('sha256').update(`${url}\n${digest}`).digest('hex');
