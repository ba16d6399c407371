import type { PublishedTool, SessionRef } from '@codelab/bus';
import { isFor } from '@codelab/config-file';
import { NO_TOOLS } from '../join-sources.js';
import { type PublishedSource, toPublished } from '../published.js';
import type { ServerTool, ServerToolSource } from '../server-tool.js';
import { type McpToolPorts, ServerOffer } from './mcp-server-offer.js';
import { resourceTools } from './mcp-resource-tools.js';

/**
 * The tools of the remote MCP servers of the tools file, and two for their resources. One connection to a server, with the operator's
 * credentials, serves every session of the process that may see it. What a server does wrong costs the call, or its own tools.
 */
export class McpTools implements ServerToolSource, PublishedSource {
  private readonly servers: readonly ServerOffer[];
  private readonly lists = new Map<string, readonly ServerTool[]>();
  private all: readonly PublishedTool[] | undefined;

  constructor(ports: McpToolPorts) {
    this.servers = ports.servers
      .filter(({ entry }) => entry.policy !== 'deny')
      .map((server) => new ServerOffer(server, ports, () => this.forget()));
  }

  private forget(): void {
    this.lists.clear();
    this.all = undefined;
  }

  /** Those of each server, and for whoever sees it the two for its resources. */
  published(): readonly PublishedTool[] {
    this.all ??= this.servers.flatMap((server) => {
      const { owners, tenants } = server.entry;
      const resources = resourceTools([server]).map((tool) => toPublished(tool, { source: 'mcp', tags: [], owners, tenants }));
      return [...server.published(), ...resources];
    });
    return this.all;
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
    const known = this.lists.get(key) ?? [...seen.flatMap(({ tools }) => tools), ...resourceTools(seen)];
    this.lists.set(key, known);
    return known;
  }
}
