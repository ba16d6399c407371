import { McpError, type McpServers } from '@codelab/mcp';
import type { WriteStream } from 'node:tty';
import { CommandError } from '../../core/command-error.js';
import { describeMcpResult } from '../../core/mcp/describe-mcp-result.js';
import { describeServer } from '../../core/mcp/describe-server.js';
import { renderServers } from '../../core/mcp/render-servers.js';
import { sanitise, sanitiseLine } from '@codelab/tools/human';
import { span, type Line } from '../../core/text/span.js';
import { printLines } from '../print-lines.js';
import { declineAll } from './answer-elicitation.js';
import { commandPlace, onlyServer, type ServerOptions } from './command-place.js';
import { readConfiguration } from './config-files.js';
import { openConfigured } from './open-mcp.js';
import { lookupVariable } from './server-environment.js';

/** Options of `codelab mcp test`. */
export interface TestOptions extends ServerOptions {
  readonly call?: string;
  readonly args: string;
}

/** What a shell gets where the server, or its tool, fails, and where the words are wrong. */
const FAILED = 1;
const USAGE = 2;
const PLAIN_COLUMNS = 160;

/** Connects to one server and prints what it offers, or if a tool is named what that answers. Returns the exit code. Throws `CommandError`. */
export async function testServer(name: string, { call, args, ...options }: TestOptions, out: WriteStream): Promise<number> {
  const given = call === undefined ? {} : readArguments(args);
  const place = await commandPlace(options);
  const configuration = onlyServer(await readConfiguration(place, lookupVariable), name);
  const servers = openConfigured(configuration, place, { elicit: declineAll });
  try {
    await servers.start();
    const [state] = servers.servers();
    if (call !== undefined && state?.status.kind === 'ready') return await callTool(servers, name, call, given, out);
    const { file, config } = configuration.servers[0]!; // there is this one
    const list = { servers: [{ state: state!, file, what: describeServer(config) }], problems: [], notes: [] };
    printLines(renderServers(list, out.columns ?? PLAIN_COLUMNS), out);
    if (state?.status.kind !== 'ready') {
      if (state?.stderr !== undefined) out.write(`\nIt wrote:\n${sanitise(state.stderr)}\n`);
      return FAILED;
    }
    printLines(offerRows(servers), out);
    return 0;
  } finally {
    await servers.close();
  }
}

function offerRows(servers: McpServers): readonly Line[] {
  const rows = (title: string, names: readonly (readonly [string, string | undefined])[]): readonly Line[] =>
    names.length === 0
      ? []
      : [
          [],
          [span(title, 'strong')],
          ...names.map(([name, says = '']): Line => [span(`  ${sanitiseLine(name, 100)}  `), span(sanitiseLine(says, 120), 'muted')]),
        ];
  return [
    ...rows(
      'Tools',
      servers.tools().map(({ tool, description }) => [tool, description]),
    ),
    ...rows(
      'Prompts',
      servers.prompts().map(({ name, description }) => [name, description]),
    ),
    ...rows(
      'Resources',
      servers.resources().map(({ uri, name }) => [uri, name]),
    ),
    ...rows(
      'Templates of resources',
      servers.resourceTemplates().map(({ uriTemplate, name }) => [uriTemplate, name]),
    ),
  ];
}

async function callTool(
  servers: McpServers,
  server: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  out: WriteStream,
): Promise<number> {
  try {
    const result = await servers.callTool(server, tool, args, { onProgress: (line) => void process.stderr.write(`${sanitise(line)}\n`) });
    const words = describeMcpResult(result);
    out.write(`${sanitise(words?.text ?? JSON.stringify(result))}\n`);
    return words?.failed === true ? FAILED : 0;
  } catch (error) {
    throw error instanceof McpError ? new CommandError(error.message, FAILED, { cause: error }) : error;
  }
}

function readArguments(text: string): Readonly<Record<string, unknown>> {
  try {
    const args = JSON.parse(text) as unknown;
    if (typeof args === 'object' && args !== null && !Array.isArray(args)) return args as Readonly<Record<string, unknown>>;
  } catch {
    // said below
  }
  throw new CommandError(`--args ${text} is no JSON object, such as '{"message": "hello"}'.`, USAGE);
}
