import { Controller, Get, Header, Inject, Query, Req } from '@nestjs/common';
import type { Owner, PublishedTool, SessionMeta } from '@codelab/bus';
import { isFor } from '@codelab/config-file';
import type { ForeignTool, JsonSchema } from '@codelab/protocol';
import { readMcpToolName, TOOLS } from '@codelab/tools';
import type { GatewayPorts } from '../../../core/gateway-ports.js';
import { DescribeRoute } from '../../openapi/describe-route.js';
import { OF_SESSION } from '../../openapi/schemas.js';
import { GATEWAY_PORTS, RECORDS } from '../../tokens.js';
import type { RestRequest } from '../admit-request.js';
import type { Records } from './records.js';
import { notThere, toCaller } from '../rest-caller.js';

const text = (description: string): JsonSchema => ({ type: 'string', description });

const TOOL_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['name', 'description', 'input_schema', 'source', 'access', 'tags'],
  properties: {
    name: text('On the wire.'),
    description: text('What a model reads.'),
    input_schema: { type: 'object', description: 'JSON Schema of the arguments.' },
    source: {
      type: 'string',
      enum: ['builtin', 'web', 'mcp', 'http', 'client'],
      description: '`builtin`: run by a client in its workspace · `web`, `mcp`, `http`: by the servers · `client`: the executor’s own.',
    },
    access: { type: 'string', enum: ['readonly', 'write'] },
    tags: { type: 'array', items: { type: 'string' } },
    server: text('The MCP server that has it.'),
    uri: text('Of an MCP server’s tool: `mcp://server/tool`.'),
  },
};

const SERVER_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['name', 'where', 'state', 'tools'],
  properties: {
    name: text('Of the tools file, or of the client’s settings.'),
    where: { type: 'string', enum: ['server', 'client'], description: 'Who is connected to it.' },
    state: { type: 'string', enum: ['connected'], description: 'One that is not connected tells no tools, and is not listed.' },
    tools: { type: 'integer', description: 'How many it has.' },
  },
};

/** The tools that there are: those of every client, those that the servers run, and with a session those of its executor. */
@Controller('api/v1/tools')
export class ToolsController {
  constructor(
    @Inject(GATEWAY_PORTS) private readonly ports: GatewayPorts,
    @Inject(RECORDS) private readonly records: Records,
  ) {}

  @Get()
  @Header('cache-control', 'no-store')
  @DescribeRoute({
    summary:
      'The tools that a model can be given, and the MCP servers that some of them come from; with a session also those of its executor.',
    query: { session_id: OF_SESSION },
    response: {
      status: 200,
      description: 'Tools and MCP servers.',
      schema: {
        type: 'object',
        required: ['tools', 'servers'],
        properties: { tools: { type: 'array', items: TOOL_SCHEMA }, servers: { type: 'array', items: SERVER_SCHEMA } },
      },
    },
    errors: ['SESSION_NOT_FOUND'],
  })
  async read(@Req() request: RestRequest, @Query() { session_id: sessionId }: { readonly session_id?: string }) {
    const own = sessionId === undefined ? [] : await this.ofSession(request, sessionId);
    const published = (await this.records.publishedTools.read())
      .filter((tool) => mayUse(tool, request.identity.owner))
      .map(presentPublished);
    return {
      tools: [...TOOLS.map(presentBuiltin), ...published, ...own],
      servers: [...countServers(published, 'server'), ...countServers(own, 'client')],
    };
  }

  private async ofSession(request: RestRequest, sessionId: string) {
    const meta = await this.ports.store.readMeta(toCaller(request, sessionId).session);
    if (meta === undefined) throw notThere();
    return readForeign(meta).map(presentForeign);
  }
}

interface ShownTool {
  readonly name: string;
  readonly server?: string | undefined;
}

/** Whoever the operator named; without names everybody. */
const mayUse = ({ owners, tenants }: PublishedTool, owner: Owner): boolean => isFor({ owners, tenants }, owner);

const presentBuiltin = ({ name, description, parameters, access, group }: (typeof TOOLS)[number]) => ({
  ...{ name, description, input_schema: parameters, source: 'builtin', access, tags: [group] },
});

const presentPublished = ({ name, description, inputSchema, source, access, tags, uri }: PublishedTool) => ({
  ...{ name, description, input_schema: inputSchema, source, access, tags, server: readMcpToolName(name)?.server, uri },
});

const presentForeign = ({ name, description, input_schema, readonly, tags }: ForeignTool) => ({
  ...{ name, description, input_schema, source: 'client', access: readonly === true ? 'readonly' : 'write', tags: tags ?? [] },
  ...{ server: readMcpToolName(name)?.server },
});

const readForeign = ({ executorTools }: SessionMeta): readonly ForeignTool[] =>
  executorTools === ''
    ? []
    : (JSON.parse(executorTools) as readonly (string | ForeignTool)[]).filter((tool): tool is ForeignTool => typeof tool !== 'string');

function countServers(tools: readonly ShownTool[], where: 'server' | 'client') {
  const counts = new Map<string, number>();
  for (const { server } of tools) if (server !== undefined) counts.set(server, (counts.get(server) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, where, state: 'connected', tools: count }));
}
