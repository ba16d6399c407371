import type { ToolRevisions } from '@codelab/bus';
import type { McpServerEntry, ToolsFile } from '@codelab/config-file';
import { allowHostsOf, Egress } from '@codelab/egress';
import { openMcpServers, type McpLogEvent, type McpServers } from '@codelab/mcp';
import type { Logger } from '@codelab/service-shell';
import { Counter, Gauge, type Registry } from 'prom-client';
import { clientCredentials } from '../core/server-tools/operator/client-credentials.js';
import { McpTools } from '../core/server-tools/operator/mcp-tools.js';
import { secretsOf, toMcpConfig } from '../core/server-tools/operator/to-mcp-config.js';
import { readVariable } from './config.js';

export interface OpenMcpPorts {
  readonly revisions: ToolRevisions;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly version: string;
}

/** The remote MCP servers of the tools file. */
export interface OpenedMcp {
  readonly source: McpTools;
  close(): Promise<void>;
}

/** Opens a connection to each server, in the background: no session, and no readiness, depends on one. */
export function openMcp(file: ToolsFile, ports: OpenMcpPorts): OpenedMcp {
  const opened = Object.entries(file.mcp_servers).map(([name, entry]) => open(name, entry, file, ports));
  const registers = [ports.metrics];
  const calls = new Counter({
    name: 'codelab_runtime_mcp_calls_total',
    help: 'Calls of tools of remote MCP servers, by what became of them.',
    labelNames: ['server', 'outcome'],
    registers,
  });
  new Gauge({
    name: 'codelab_runtime_mcp_server_ready',
    help: 'Whether a remote MCP server is connected: 1 yes, 0 no.',
    labelNames: ['server'],
    registers,
    collect() {
      for (const { name, connection } of opened) this.set({ server: name }, connection.servers()[0]?.status.kind === 'ready' ? 1 : 0);
    },
  });
  const { revisions, logger: log } = ports;
  const source = new McpTools({ servers: opened, revisions, log, onCall: (server, outcome) => calls.inc({ server, outcome }) });
  source.start();
  return { source, close: async () => void (await Promise.all(opened.map((one) => one.close()))) };
}

interface OpenedServer {
  readonly name: string;
  readonly entry: McpServerEntry;
  readonly connection: McpServers;
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

function open(name: string, entry: McpServerEntry, file: ToolsFile, { logger, version }: OpenMcpPorts): OpenedServer {
  const { oauth, url } = entry;
  // what the operator names may be private; what it redirects to may not, unless it is named
  const egress = new Egress({ allow: allowHostsOf([url, ...(oauth ? [oauth.token_url] : [])]) });
  const fetch = egress.fetchLike;
  const tokenStore =
    oauth &&
    clientCredentials({
      ...{ url, tokenUrl: oauth.token_url, clientId: oauth.client_id, clientSecret: readVariable(oauth.client_secret_env) ?? '' },
      ...{ scope: oauth.scope, fetch, now: Date.now },
    });
  const ports = { secrets: file.secrets, readVariable };
  const connection = openMcpServers({
    servers: [toMcpConfig(name, entry, ports)],
    clientInfo: { name: 'codelab-agent-runtime', version },
    cwd: '/',
    environment: {},
    hooks: { fetch, log: (event) => tell(logger, event), ...(tokenStore && { tokenStore }) }, // neither elicitation nor sampling: nobody is here to be asked
  });
  const close = async (): Promise<void> => {
    await connection.close();
    await egress.close();
  };
  return { name, entry, connection, secrets: secretsOf(entry, ports), close };
}

/** A connection's life. What a server logs is its own affair, and may hold anything. */
function tell(logger: Logger, { kind, level, server, message }: McpLogEvent): void {
  if (kind === 'log') return;
  const fields = { event: `mcp.${kind}`, server, ...(kind === 'failed' && { why: message }) };
  if (level === 'warn' || level === 'error') logger.warn(fields);
  else logger.info(fields);
}
