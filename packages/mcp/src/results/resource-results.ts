import type { CallToolResult, ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import type { FromServer } from '../servers/mcp-servers.js';

/** Resources that one list names. */
const MAX_LISTED = 500;

/** What a model reads of the resources that servers offer: one line of JSON for each, so that none can be mistaken for another. */
export function resourceList(
  resources: readonly FromServer<Resource>[],
  templates: readonly FromServer<ResourceTemplateType>[],
): CallToolResult {
  const lines = [
    ...resources.map(({ server, uri, name, description, mimeType }) => ({ server, uri, name, description, mimeType })),
    ...templates.map(({ server, uriTemplate, name, description, mimeType }) => ({ server, uriTemplate, name, description, mimeType })),
  ];
  const left = lines.length - MAX_LISTED;
  const text = [
    ...lines.slice(0, MAX_LISTED).map((line) => JSON.stringify(line)),
    ...(left > 0 ? [`… and ${left} more: name a server to see those of it.`] : []),
  ].join('\n');
  return { content: [{ type: 'text', text: text === '' ? 'No MCP server offers resources now.' : text }] };
}

/** What a model reads of one resource: its contents, embedded as in the result of a tool. */
export const resourceContents = ({ contents }: ReadResourceResult): CallToolResult => ({
  content: contents.map((resource) => ({ type: 'resource', resource })),
});
