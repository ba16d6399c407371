import type { McpServers, McpTool } from '@codelab/mcp';
import type { ForeignTool } from '@codelab/protocol';
import { mcpToolUri } from '@codelab/tools';
import type { CallPreview, RunContext, ToolArguments, ToolExecutor, ToolOutcome } from '../calls/tool-executor.js';
import { describeArguments } from './describe-arguments.js';
import { KnownTools } from './known-tools.js';
import { resourceTools, type ResourceTool } from './resource-tools.js';
import { toOutcome } from './to-outcome.js';
import type { ToolPins } from './tool-pins.js';

export interface McpExecutorOptions {
  readonly servers: McpServers;
  readonly pins: ToolPins;
  /** Hears what the user should know and that ends nothing. */
  readonly onProblem?: (message: string) => void;
}

/**
 * The tools of the user's MCP servers as an executor. Each is foreign and unsafe, whatever its annotations say; a call reaches its server at most
 * once. What a human approved is bound to what the server said of the tool then: when that changes, a human is asked again, even where a rule
 * allows the tool.
 */
export function mcpExecutor({ servers, pins, onProblem }: McpExecutorOptions): ToolExecutor {
  const readers = resourceTools(servers);
  const known = new KnownTools(servers);
  let offer: { readonly of: readonly McpTool[]; readonly hasResources: boolean; readonly tools: readonly ForeignTool[] } | undefined;

  const present = (): readonly ForeignTool[] => {
    const of = known.list();
    const hasResources = servers.resources().length + servers.resourceTemplates().length > 0;
    if (offer?.of !== of || offer.hasResources !== hasResources) {
      const tools = [...of.map(toForeignTool), ...(hasResources ? readers.map(({ definition }) => definition) : [])];
      offer = { of, hasResources, tools };
    }
    return offer.tools;
  };
  const find = (name: string): McpTool | undefined => known.list().find(({ wireName }) => wireName === name);
  const findReader = (name: string): ResourceTool | undefined => readers.find(({ definition }) => definition.name === name);
  /** Of a tool that was never approved here, `undefined`. */
  const hasChanged = async ({ server, tool, digest }: McpTool): Promise<boolean> => {
    const pinned = await pins.find(server, tool);
    return pinned !== undefined && !pinned.includes(digest);
  };

  const call = async (tool: McpTool, args: ToolArguments, context: RunContext): Promise<ToolOutcome> => {
    const shown = context.operands?.find(({ path }) => path === mcpToolUri(tool.server, tool.tool));
    if (shown !== undefined && shown.sha256 !== tool.digest)
      return refuse('APPROVAL_MISMATCH', `${changeOf(tool)} while the call waited. Nothing was done.`);
    if (context.approved !== true)
      return refuse('PERMISSION_DENIED', `Nobody approved ${tool.wireName}: a tool of an MCP server runs only after somebody did.`);
    await pins
      .keep(tool.server, tool.tool, tool.digest)
      .catch((error: Error) => onProblem?.(`What was approved of ${tool.wireName} can't be kept: ${error.message}`));
    return toOutcome(
      servers.callTool(tool.server, tool.tool, args, {
        signal: context.signal,
        onProgress: (line) => context.onOutput('stderr', `${line}\n`),
      }),
    );
  };

  return {
    get tools() {
      return present();
    },
    onToolsChanged(listener) {
      let told = present();
      return servers.onChange(() => {
        const tools = present();
        if (tools === told) return;
        told = tools;
        listener();
      });
    },
    async run(name, args, context) {
      const reader = findReader(name);
      if (reader !== undefined)
        return context.approved === true ? reader.run(args, context.signal) : refuse('PERMISSION_DENIED', `Nobody approved ${name}.`);
      const tool = find(name);
      if (tool === undefined)
        return refuse('TOOL_NOT_FOUND', `No MCP server has the tool ${name} now: its server may be away, or no longer offers it.`);
      return call(tool, args, context);
    },
    async preview(name, args): Promise<CallPreview | undefined> {
      const tool = find(name);
      if (tool === undefined) return undefined;
      const note = (await hasChanged(tool)) ? `! ${changeOf(tool)} since it was approved here.\n\n` : '';
      return {
        preview: { kind: 'text', text: `${note}${describeArguments(args)}` },
        operands: [{ path: mcpToolUri(tool.server, tool.tool), sha256: tool.digest }],
      };
    },
    async findDoubt(name) {
      const tool = find(name);
      return tool !== undefined && (await hasChanged(tool)) ? `${changeOf(tool)} since it was approved here` : undefined;
    },
  };
}

const changeOf = ({ server, tool }: McpTool): string => `the MCP server ${server} changed what it says of its tool ${tool}`;

const refuse = (code: 'APPROVAL_MISMATCH' | 'PERMISSION_DENIED' | 'TOOL_NOT_FOUND', message: string): ToolOutcome => ({
  ok: false,
  error: { code, message },
});

/** What models are told of a tool. Its hints go along for people; nothing is decided by them. */
const toForeignTool = ({ wireName, server, title, description, inputSchema, annotations }: McpTool): ForeignTool => ({
  name: wireName,
  description: description === '' ? `${title ?? wireName} (a tool of the MCP server ${server})` : description,
  input_schema: inputSchema,
  tags: ['mcp', `server:${server}`],
  readonly: annotations.readOnlyHint === true ? true : undefined,
});
