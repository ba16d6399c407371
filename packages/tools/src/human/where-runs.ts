import { readMcpToolName, readMcpToolUri } from '../names/mcp-name.js';
import { PLAN_TOOL } from '../policy/plan-tool.js';
import { isCanonicalTool } from '../tools/tools.js';

/** Who holds the workspace of a session, as somebody that watches it sees it. */
type Executor = 'you' | 'other' | 'none';

const BY_SERVERS: Readonly<Record<string, string>> = {
  'web.fetch': 'The servers fetch it from the web',
  'web.search': 'The servers search the web',
  task: 'The servers start another agent',
  [PLAN_TOOL.name]: 'Nothing runs by itself: the agent goes on with it',
};

/** Where a call runs, as a phrase for whoever decides about it. Text from outside, not made safe. */
export function whereRuns(toolName: string, executor: Executor): string {
  const server = (readMcpToolName(toolName) ?? readMcpToolUri(toolName))?.server;
  if (server !== undefined) return `Runs on the MCP server ${server}`;
  if (/^https?:\/\//.test(toolName)) return `Goes to ${hostOf(toolName)}: the arguments leave this machine`;
  const own = Object.hasOwn(BY_SERVERS, toolName) ? BY_SERVERS[toolName] : undefined;
  if (own !== undefined) return own;
  const what = isCanonicalTool(toolName) ? 'Runs' : 'A tool of another program, runs';
  if (executor === 'you') return `${what} in the workspace on this machine`;
  return executor === 'other'
    ? `${what} in the workspace of the client that is connected`
    : `${what} when a client with the workspace connects`;
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address);
