import { resourceContents, resourceList, type McpServers } from '@codelab/mcp';
import type { ForeignTool } from '@codelab/protocol';
import type { ToolArguments, ToolOutcome } from '../calls/tool-executor.js';
import { toOutcome } from './to-outcome.js';

/** A tool of ours that reads what servers offer beside their tools. */
export interface ResourceTool {
  readonly definition: ForeignTool;
  run(args: ToolArguments, signal: AbortSignal): Promise<ToolOutcome>;
}

/** `list_mcp_resources` and `read_mcp_resource`: foreign tools like those of the servers, and asked like them. */
export const resourceTools = (servers: McpServers): readonly ResourceTool[] => [
  {
    definition: {
      name: 'list_mcp_resources',
      description:
        'Lists the resources that MCP servers of the user offer: their server, uri, name and kind. Templates have placeholders in their uri, to be filled in before they are read.',
      input_schema: {
        type: 'object',
        properties: { server: { type: 'string', description: 'Only those of this server.' } },
        additionalProperties: false,
      },
      tags: ['mcp'],
      readonly: true,
    },
    run: async ({ server }) => {
      const isMeant = (one: { readonly server: string }): boolean => server === undefined || one.server === server;
      return toOutcome(Promise.resolve(resourceList(servers.resources().filter(isMeant), servers.resourceTemplates().filter(isMeant))));
    },
  },
  {
    definition: {
      name: 'read_mcp_resource',
      description: 'Reads one resource of an MCP server, by the uri that list_mcp_resources names.',
      input_schema: {
        type: 'object',
        properties: {
          server: { type: 'string', description: 'The server that offers it.' },
          uri: { type: 'string', description: 'Its uri.' },
        },
        required: ['server', 'uri'],
        additionalProperties: false,
      },
      tags: ['mcp'],
      readonly: true,
    },
    async run({ server, uri }, signal) {
      if (typeof server !== 'string' || typeof uri !== 'string')
        return { ok: false, error: { code: 'INVALID_ARGUMENTS', message: 'server and uri are strings.' } };
      const read = servers.readResource(server, uri, { signal });
      return toOutcome(read.then(resourceContents));
    },
  },
];
