/** What the name of every tool of an MCP server begins with. */
const PREFIX = 'mcp__';

/** Between the server's name and the tool's; no server has it in its name, so the first one separates. */
const SEPARATOR = '__';

/** The longest name that a server may have in a configuration, in characters. */
export const MAX_MCP_SERVER_NAME = 32;

/** Letters, digits and dashes, and single underscores between them. */
const SERVER = /^[a-zA-Z0-9-]+(?:_[a-zA-Z0-9-]+)*$/;

/** A tool of an MCP server: the server's name in the configuration, and the tool's own name there. */
export interface McpToolName {
  readonly server: string;
  readonly tool: string;
}

/** Whether a server may be called so: `[a-zA-Z0-9-]` and single underscores between them, 1 to 32 characters. */
export const isMcpServerName = (name: string): boolean => name.length <= MAX_MCP_SERVER_NAME && SERVER.test(name);

/**
 * The name of a server's tool on the wire, in rules and toward models: `mcp__<server>__<tool>`. The tool's own name stands in it as it is,
 * so no two tools of two servers share a name.
 *
 * @throws TypeError for a name that no server may have, and for an empty tool
 */
export function mcpToolName(server: string, tool: string): string {
  check(server, tool);
  return PREFIX + server + SEPARATOR + tool;
}

/** The server and tool that {@link mcpToolName} made this name of; undefined for every other name. */
export function readMcpToolName(name: string): McpToolName | undefined {
  if (!name.startsWith(PREFIX)) return undefined;
  const end = name.indexOf(SEPARATOR, PREFIX.length);
  if (end < 0) return undefined;
  return checked(name.slice(PREFIX.length, end), name.slice(end + SEPARATOR.length));
}

/**
 * The URI of a server's tool: `mcp://<server>/<tool>`, both percent-encoded.
 *
 * @throws TypeError as {@link mcpToolName} does, and for a tool whose name has a lone surrogate
 */
export function mcpToolUri(server: string, tool: string): string {
  check(server, tool);
  if (/\p{Surrogate}/u.test(tool)) throw new TypeError('the name of the tool has half of a character in it');
  // A path of nothing but dots would be taken for a step up by whoever resolves it.
  const path = /^\.+$/.test(tool) ? tool.replaceAll('.', '%2E') : encodeURIComponent(tool);
  return `mcp://${encodeURIComponent(server)}/${path}`;
}

/** The server and tool of a URI; undefined for what is no URI of a tool. Percent-encoding may differ from that of {@link mcpToolUri}. */
export function readMcpToolUri(uri: string): McpToolName | undefined {
  const parts = /^mcp:\/\/([^/?#]+)\/([^/?#]+)$/i.exec(uri);
  if (parts === null) return undefined;
  try {
    return checked(decodeURIComponent(parts[1]!), decodeURIComponent(parts[2]!));
  } catch {
    return undefined; // a percent sign that encodes nothing
  }
}

const checked = (server: string, tool: string): McpToolName | undefined =>
  isMcpServerName(server) && tool !== '' ? { server, tool } : undefined;

function check(server: string, tool: string): void {
  if (!isMcpServerName(server)) {
    throw new TypeError(
      `an MCP server has a name of 1 to ${MAX_MCP_SERVER_NAME} letters, digits, dashes and single underscores between them: ${JSON.stringify(server)}`,
    );
  }
  if (tool === '') throw new TypeError(`a tool of the MCP server ${server} has no name`);
}
