import { createHash } from 'node:crypto';
import type { PublishedTool, ToolRevisions } from '@codelab/bus';
import type { McpServerEntry } from '@codelab/config-file';
import {
  type CallOptions,
  type CallToolResult,
  type FromServer,
  McpError,
  type McpServers,
  type McpTool,
  type Resource,
  resourceContents,
  type ResourceTemplateType,
} from '@codelab/mcp';
import { mcpToolUri, type JsonObject } from '@codelab/tools';
import type { EventLog } from '../../session/runtime-ports.js';
import { hideInJson, hideValues, sentValues } from '../hide-values.js';
import { NO_TOOLS } from '../join-sources.js';
import { toPublished } from '../published.js';
import type { ServerOutcome, ServerRun, ServerTool } from '../server-tool.js';
import { entryPolicy } from './entry-policy.js';
import { toMcpFailure } from './mcp-outcome.js';

const DEFAULT_TIMEOUT_MS = 60_000;

/** With signs of progress a call may take so many times as long; the connection sees to the time without them. */
const PROGRESS_FACTOR = 10;

/** How long the first session of a process waits for a server that is still being connected. */
const FIRST_WAIT_MS = 3_000;

/** Nobody knows since when a tool is what it is: no rule counts. */
const UNKNOWN_SINCE = Number.MAX_SAFE_INTEGER;

/** What the resources of a server are remembered as, beside its tools: no tool has an empty name. */
const RESOURCES = '';

/** What a server is asked through: its one connection, which all sessions share. */
export type McpConnection = Pick<
  McpServers,
  'start' | 'tools' | 'callTool' | 'resources' | 'resourceTemplates' | 'readResource' | 'onChange'
>;

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

/** What one server offers now. */
export class ServerOffer {
  tools: readonly ServerTool[] = NO_TOOLS;
  /** Since when its resources are there, in Unix milliseconds; absent: it has none, or the operator keeps them back. */
  resourcesSince: number | undefined;
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

  /** How long a call may take without a sign of progress, in milliseconds. */
  get timeoutMs(): number {
    return this.entry.timeout_ms ?? DEFAULT_TIMEOUT_MS;
  }

  /** The most that a call may take. */
  get deadlineMs(): number {
    return this.timeoutMs * PROGRESS_FACTOR;
  }

  /** The resources that it names now. */
  resources(): readonly FromServer<Resource>[] {
    return this.hide(this.connection.resources());
  }

  resourceTemplates(): readonly FromServer<ResourceTemplateType>[] {
    return this.hide(this.connection.resourceTemplates());
  }

  readResource(uri: string, run: ServerRun): Promise<ServerOutcome> {
    return this.ask(async (options) => resourceContents(await this.connection.readResource(this.name, uri, options)), run);
  }

  /** What anybody may read of its tools who sees it. */
  published(): readonly PublishedTool[] {
    const { owners, tenants } = this.entry;
    const tags = [`server:${this.name}`];
    const published = this.tools.map((tool, place) =>
      toPublished(tool, { source: 'mcp', tags, uri: mcpToolUri(this.name, this.known[place]!.tool), owners, tenants }),
    );
    return this.hide(published);
  }

  /** Takes what the server offers now, and since when it has said so. */
  private look(): Promise<void> {
    const tools = this.connection.tools();
    const hasResources = this.hasResources();
    const isKnown = tools === this.known && hasResources === (this.resourcesSince !== undefined);
    if (isKnown && this.since !== undefined) return Promise.resolve();
    this.noting ??= this.note(tools, hasResources).finally(() => (this.noting = undefined));
    return this.noting;
  }

  private hasResources(): boolean {
    if (this.entry.resources === false) return false;
    return this.connection.resources().length + this.connection.resourceTemplates().length > 0;
  }

  private async note(tools: readonly McpTool[], hasResources: boolean): Promise<void> {
    const { revisions, log } = this.ports;
    const digests = new Map(tools.map((tool) => [tool.tool, digestOf(tool.digest, this.entry)]));
    if (hasResources) digests.set(RESOURCES, digestOf(RESOURCES, this.entry));
    let since: ReadonlyMap<string, number> | undefined;
    try {
      since = await revisions.note(this.name, digests);
    } catch (error) {
      log.warn({ event: 'mcp.revisions_unknown', server: this.name, name: error instanceof Error ? error.name : 'unknown' }); // the next look tries again
    }
    if (since === undefined && tools === this.known && hasResources === (this.resourcesSince !== undefined)) return;
    this.known = tools;
    this.since = since;
    this.tools = tools.map((tool) => this.toTool(tool, since?.get(tool.tool) ?? UNKNOWN_SINCE));
    this.resourcesSince = hasResources ? (since?.get(RESOURCES) ?? UNKNOWN_SINCE) : undefined;
    this.onChange();
    log.info({ event: 'mcp.tools', server: this.name, tools: tools.length, resources: hasResources });
  }

  private toTool(tool: McpTool, changedAtMs: number): ServerTool {
    return {
      definition: {
        ...{ name: tool.wireName, description: tool.description, parameters: tool.inputSchema, changedAtMs },
        ...{ since: '1.0', group: 'process', access: 'write', idempotency: 'unsafe', source: 'mcp' }, // whatever it says of itself
        deadlineMs: this.deadlineMs,
      },
      policy: entryPolicy(this.entry.policy, `calls a tool of the MCP server ${this.name}`),
      run: (args, run) => this.ask((options) => this.connection.callTool(this.name, tool.tool, args, options), run),
    };
  }

  /** Asks the server something, once, and makes an outcome of what became of it. */
  private async ask(asked: (options: CallOptions) => Promise<CallToolResult>, run: ServerRun): Promise<ServerOutcome> {
    const { timeoutMs } = this;
    const options = { signal: run.signal, timeoutMs, onProgress: (line: string) => run.onOutput(`${hideValues(line, this.hidden)}\n`) };
    try {
      const result = await asked(options);
      this.ports.onCall?.(this.name, result.isError === true ? 'tool_error' : 'ok');
      return { ok: true, result: this.hide(result) as unknown as JsonObject }; // it came as JSON
    } catch (error) {
      const failure = error instanceof McpError ? toMcpFailure(error) : undefined;
      this.ports.onCall?.(this.name, failure?.error.code ?? 'fault');
      if (failure === undefined) throw error;
      const { code, message } = failure.error;
      return { ok: false, error: { code, message: hideValues(message, this.hidden) } };
    }
  }

  /** Something that came as JSON, without what the operator gave the server in secret. */
  private hide<T extends object>(said: T): T {
    return this.hidden.length === 0 ? said : (JSON.parse(hideInJson(JSON.stringify(said), this.hidden)) as T);
  }
}

/** Another server under the same name is another one, whatever it says. */
const digestOf = (digest: string, { url }: McpServerEntry): string => createHash('sha256').update(`${url}\n${digest}`).digest('hex');
