import type { PublishedTool, ServerTool, SessionMeta } from '@codelab/bus';
import type { ForeignTool, JsonSchema } from '@codelab/protocol';
import { isCanonicalTool, mcpToolUri, readExecutorTools, readMcpToolName, readMcpToolUri } from '@codelab/tools';

/** A tool as `GET /v1/tools` shows it. */
export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly tags: readonly string[];
  /** Of an MCP server's tool: `mcp://server/tool`. */
  readonly uri?: string;
}

/** Words that we say of a tool. What a tool says of itself adds to them and never takes their place. */
const OURS: ReadonlySet<string> = new Set(['builtin', 'mcp', 'http', 'client', 'web', 'readonly', 'write']);

const own = (tags: readonly unknown[] | undefined): string[] =>
  (Array.isArray(tags) ? tags : []).filter((tag): tag is string => typeof tag === 'string' && !OURS.has(tag));

/** The tools that the executor of a session has, by the names that it declared: built-in ones by their canonical names. */
export function toolsOfSession(meta: SessionMeta): readonly ToolInfo[] {
  const declared = new Map(foreignTools(meta).map((tool) => [tool.name, tool.tags]));
  return readExecutorTools(meta).map(({ name, description, parameters, group, access }) => {
    if (isCanonicalTool(name)) return { name, description, inputSchema: parameters, tags: ['builtin', group, access] };
    const said = declared.get(name) ?? [];
    const target = said.includes('mcp') ? readMcpToolName(name) : undefined;
    const tags = [said.includes('mcp') ? 'mcp' : 'client', access, ...own(said)];
    return { name, description, inputSchema: parameters, tags, ...(target && { uri: mcpToolUri(target.server, target.tool) }) };
  });
}

const foreignTools = ({ executorTools }: SessionMeta): ForeignTool[] =>
  executorTools === ''
    ? []
    : (JSON.parse(executorTools) as readonly (string | ForeignTool)[]).filter((tool): tool is ForeignTool => typeof tool === 'object');

/** A tool that the runtimes run of themselves, or because the tools file says so. */
export const toolOfRuntime = ({ name, description, inputSchema, source, access, tags, uri }: PublishedTool): ToolInfo => ({
  ...{ name, description, inputSchema, uri },
  tags: [source, access, ...own(tags)],
});

/** A tool that somebody registered. Where one by URL is and what is sent there is nobody's business. */
export const toToolInfo = ({ name, description, inputSchema, tags, url }: ServerTool): ToolInfo => {
  const isMcp = readMcpToolUri(url) !== undefined;
  return {
    ...{ name, description, inputSchema },
    tags: [isMcp ? 'mcp' : 'http', 'write', ...own(tags)],
    ...(isMcp && { uri: url }),
  };
};
