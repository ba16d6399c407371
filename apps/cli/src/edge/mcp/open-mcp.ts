import { fileToolPins, mcpExecutor } from '@codelab/client/mcp';
import { composeExecutors, type ComposedExecutor, type ToolExecutor } from '@codelab/client';
import { fileOAuthStore, openMcpServers, type McpHooks, type McpServers } from '@codelab/mcp';
import { pathToFileURL } from 'node:url';
import { basename, join } from 'node:path';
import { version } from '../version.js';
import { readConfiguration, type ConfigPlace, type McpConfiguration } from './config-files.js';
import { lookupVariable, serverEnvironment } from './server-environment.js';

/** The user's MCP servers, for as long as a command runs. */
export interface OpenMcp {
  readonly servers: McpServers;
  readonly configuration: McpConfiguration;
}

/** Opens the servers that the files name; nothing is started before `servers.start()`. */
export async function openMcp(place: ConfigPlace, hooks: Pick<McpHooks, 'elicit' | 'sample' | 'log' | 'openBrowser'>): Promise<OpenMcp> {
  const configuration = await readConfiguration(place, lookupVariable);
  return { servers: openConfigured(configuration, place, hooks), configuration };
}

/** The same of a configuration that was read before. */
export function openConfigured(
  { servers }: Pick<McpConfiguration, 'servers'>,
  { dataDir, workspace }: ConfigPlace,
  hooks: McpHooks,
): McpServers {
  return openMcpServers({
    // what is approved of a server of one folder says nothing of another folder's, and nothing of the person's own
    servers: servers.map(({ config, scope }) => (scope === 'user' ? config : { ...config, origin: workspace.id })),
    clientInfo: { name: 'codelab', version },
    cwd: workspace.root,
    environment: serverEnvironment(),
    hooks: {
      roots: () => [{ uri: pathToFileURL(workspace.root).href, name: basename(workspace.root) }],
      tokenStore: fileOAuthStore(join(dataDir, 'mcp', 'logins')),
      ...hooks,
    },
  });
}

/** The tools of the workspace, then those of the servers: what a client offers. */
export function withServers(
  workspace: ToolExecutor,
  servers: McpServers,
  {
    dataDir,
    watch,
    onProblem,
  }: {
    readonly dataDir: string;
    readonly watch: (run: ToolExecutor['run']) => ToolExecutor['run'];
    readonly onProblem: (text: string) => void;
  },
): ComposedExecutor {
  const executor = mcpExecutor({ servers, pins: fileToolPins(join(dataDir, 'mcp', 'pins')), onProblem });
  const run = watch((...call) => executor.run(...call));
  return composeExecutors([
    workspace,
    {
      get tools() {
        return executor.tools;
      },
      onToolsChanged: executor.onToolsChanged,
      preview: executor.preview.bind(executor),
      findDoubt: executor.findDoubt?.bind(executor),
      run,
    },
  ]);
}
