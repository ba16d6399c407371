import { type Owner, type ServerTool as RegisteredTool, type ServerTools, sessionRef, type SessionRef } from '@codelab/bus';
import type { Egress } from '@codelab/egress';
import { readMcpToolUri, mcpToolName, type SecretSource } from '@codelab/tools';
import { callByUrl } from './call-by-url.js';
import { NO_TOOLS } from './join-sources.js';
import type { ServerTool, ServerToolSource } from './server-tool.js';

/** Lists that are kept for sessions with the same tools. */
const MAX_LISTS = 256;

/** What the tools that people registered need. */
export interface RegisteredPorts {
  readonly serverTools: Pick<ServerTools, 'list'>;
  readonly egress: Pick<Egress, 'fetch'>;
  /** The operator's secrets that the tools of an owner may refer to. */
  readonly secretsOf: (owner: Owner) => SecretSource;
  /** Where the tools of the MCP servers are that the operator lists; absent: there are none. */
  readonly mcp?: ServerToolSource;
}

/**
 * The tools that people registered by REST, for all of their sessions or for one. What is stored is read each time, so that a change is seen by
 * the next turn; the same tools are the same list.
 */
export class RegisteredTools implements ServerToolSource {
  private readonly lists = new Map<string, { readonly offered: readonly ServerTool[]; readonly tools: readonly ServerTool[] }>();

  constructor(private readonly ports: RegisteredPorts) {}

  async list(session: SessionRef): Promise<readonly ServerTool[]> {
    const stored = await this.ports.serverTools.list(session.owner, session);
    if (stored.length === 0) return NO_TOOLS;
    const isOfMcp = stored.some(({ url }) => readMcpToolUri(url) !== undefined);
    const offered = isOfMcp ? ((await this.ports.mcp?.list(session)) ?? NO_TOOLS) : NO_TOOLS;
    const key = JSON.stringify(stored);
    const before = this.lists.get(key);
    const known = before?.offered === offered ? before : { offered, tools: stored.map((tool) => this.toTool(tool, offered)) };
    this.lists.delete(key);
    this.lists.set(key, known);
    if (this.lists.size > MAX_LISTS) this.lists.delete(this.lists.keys().next().value!);
    return known.tools;
  }

  /** @param offered what the MCP servers have: under another name a tool is judged as under its own */
  private toTool(tool: RegisteredTool, offered: readonly ServerTool[]): ServerTool {
    const { name, description, inputSchema, idempotency = 'unsafe', timeoutMs } = tool;
    const target = readMcpToolUri(tool.url);
    const { egress, secretsOf, mcp } = this.ports;
    const wanted = target && mcpToolName(target.server, target.tool);
    const behind = offered.find(({ definition }) => definition.name === wanted);
    return {
      definition: {
        ...{ name, description, parameters: inputSchema, idempotency, deadlineMs: timeoutMs },
        since: '1.0',
        group: 'process', // it may do anything, whatever it says of itself
        access: 'write',
        source: target === undefined ? 'http' : 'mcp',
        changedAtMs: behind?.definition.changedAtMs,
      },
      policy: behind?.policy,
      run: async (args, run) => {
        if (target === undefined) return callByUrl(tool, run.argumentsText, { egress, secrets: secretsOf(run.owner), signal: run.signal });
        const found = (await mcp?.list(sessionRef(run.owner, run.sessionId)))?.find(({ definition }) => definition.name === wanted);
        if (found !== undefined) return found.run(args, run);
        const message = `The MCP server ${target.server} has no tool ${target.tool} now.`;
        return { ok: false, error: { code: 'TOOL_NOT_FOUND', message } };
      },
    };
  }
}
