import type { McpServers, McpServerState, McpTool } from '@codelab/mcp';

/**
 * The tools of servers, those included of a server that is away for a moment: what models are offered must not change with each restart of one.
 * Whatever is called meanwhile waits for the server, or is told that it is away.
 */
export class KnownTools {
  private known: readonly McpTool[] = [];

  constructor(private readonly servers: McpServers) {}

  /** The same array while nothing changed. In the order of the configuration. */
  list(): readonly McpTool[] {
    const present = this.servers.tools();
    const next = this.servers.servers().flatMap((state) => {
      const now = present.filter(({ server }) => server === state.name);
      return now.length === 0 && comesBack(state) ? this.known.filter(({ server }) => server === state.name) : now;
    });
    const isSame = next.length === this.known.length && next.every((tool, index) => tool === this.known[index]);
    return isSame ? this.known : (this.known = next);
  }
}

const comesBack = ({ status }: McpServerState): boolean =>
  status.kind === 'connecting' || (status.kind === 'failed' && status.retryAt !== undefined);
