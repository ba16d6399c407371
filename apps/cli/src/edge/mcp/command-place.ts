import { CommandError } from '../../core/command-error.js';
import { readCliConfig } from '../config.js';
import { chooseWorkspace } from '../session/choose-workspace.js';
import type { ConfigPlace, McpConfiguration } from './config-files.js';
import { mcpPlaceOf } from './mcp-place.js';

/** Options of every command about servers. */
export interface ServerOptions {
  readonly workspace: string;
}

/** What a shell gets for a name that is none. */
const USAGE = 2;

/** Where a command looks for configurations. Throws `CommandError`. */
export async function commandPlace({ workspace }: ServerOptions): Promise<ConfigPlace> {
  const { dataDir } = readCliConfig();
  return mcpPlaceOf({ dataDir, workspace: await chooseWorkspace(workspace, dataDir) });
}

/** The configuration with one server alone. Throws `CommandError` where there is none of that name that can be used. */
export function onlyServer(configuration: McpConfiguration, name: string): McpConfiguration {
  const servers = configuration.servers.filter(({ config }) => config.name === name);
  if (servers.length > 0) return { ...configuration, servers };
  const problem = configuration.problems.find(({ server }) => server === name);
  if (problem !== undefined) throw new CommandError(`${problem.file}:${problem.line}: ${problem.field}: ${problem.message}`, USAGE);
  const names = configuration.servers.map(({ config }) => config.name);
  const known = names.length === 0 ? 'No server is configured' : `There are ${names.join(', ')}`;
  const waiting = configuration.waiting.map(({ path }) => ` The servers of ${path} are off until \`codelab mcp approve\`.`).join('');
  throw new CommandError(`There is no MCP server ${name}. ${known}: codelab mcp add ${name} … adds one.${waiting}`, USAGE);
}
