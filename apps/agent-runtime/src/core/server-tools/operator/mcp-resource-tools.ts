import { resourceList } from '@codelab/mcp';
import type { JsonObject } from '@codelab/tools';
import { NO_TOOLS } from '../join-sources.js';
import type { ServerOutcome, ServerTool } from '../server-tool.js';
import { entryPolicy } from './entry-policy.js';
import type { ServerOffer } from './mcp-server-offer.js';

const LIST = 'list_remote_mcp_resources';
const READ = 'read_remote_mcp_resource';

/**
 * Two tools for the resources of those servers that have any; none where no server has. A client has its own for the servers of its user
 * (`list_mcp_resources`), under other names: both are there side by side, and a rule about one is none about the other.
 */
export function resourceTools(servers: readonly ServerOffer[]): readonly ServerTool[] {
  const offering = servers.filter(({ resourcesSince }) => resourcesSince !== undefined);
  if (offering.length === 0) return NO_TOOLS;
  const asks = offering.some(({ entry }) => entry.policy === 'ask') ? 'ask' : undefined;
  const common = {
    ...({ since: '1.0', group: 'process', access: 'write', idempotency: 'unsafe', source: 'mcp' } as const), // asked about like every tool from outside
    deadlineMs: Math.max(...offering.map(({ deadlineMs }) => deadlineMs)),
    changedAtMs: Math.max(...offering.map(({ resourcesSince = 0 }) => resourcesSince)), // a rule is none about a server that came later
  };
  const list: ServerTool = {
    definition: {
      ...common,
      name: LIST,
      description:
        'Lists the resources that remote MCP servers of the operator offer: their server, uri, name and kind. Templates have placeholders in their uri, to be filled in before they are read.',
      parameters: {
        type: 'object',
        properties: { server: { type: 'string', description: 'Only those of this server.' } },
        additionalProperties: false,
      },
    },
    policy: entryPolicy(asks, 'lists the resources of remote MCP servers'),
    run({ server }) {
      const meant = offering.filter(({ name }) => server === undefined || name === server);
      const listed = resourceList(
        meant.flatMap((one) => one.resources()),
        meant.flatMap((one) => one.resourceTemplates()),
      );
      return Promise.resolve({ ok: true, result: listed as unknown as JsonObject });
    },
  };
  const read: ServerTool = {
    definition: {
      ...common,
      name: READ,
      description: `Reads one resource of a remote MCP server, by the uri that ${LIST} names.`,
      parameters: {
        type: 'object',
        properties: {
          server: { type: 'string', description: 'The server that offers it.' },
          uri: { type: 'string', description: 'Its uri.' },
        },
        required: ['server', 'uri'],
        additionalProperties: false,
      },
    },
    policy: entryPolicy(asks, 'reads a resource of a remote MCP server'),
    run({ server, uri }, run) {
      if (typeof server !== 'string' || typeof uri !== 'string') return refuse('server and uri are strings.');
      const meant = offering.find(({ name }) => name === server);
      if (meant !== undefined) return meant.readResource(uri, run);
      const names = offering.map(({ name }) => name).join(', ');
      return refuse(`No remote MCP server ${JSON.stringify(server)} offers resources; these do: ${names}.`);
    },
  };
  return [list, read];
}

const refuse = (message: string): Promise<ServerOutcome> => Promise.resolve({ ok: false, error: { code: 'INVALID_ARGUMENTS', message } });
