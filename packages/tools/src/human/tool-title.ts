import { readMcpToolName } from '../names/mcp-name.js';
import { sanitiseLine } from './text/sanitise.js';

/** How a tool is called before people: `server:tool` for one of an MCP server, else its name. */
export function toolTitle(toolName: string): string {
  const ofServer = readMcpToolName(toolName);
  return sanitiseLine(ofServer === undefined ? toolName : `${ofServer.server}:${ofServer.tool}`, 64);
}
