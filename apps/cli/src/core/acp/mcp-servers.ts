import type { McpServer } from '@agentclientprotocol/sdk';
import type { McpServerConfig } from '@codelab/mcp';
import { isMcpServerName, MAX_MCP_SERVER_NAME } from '@codelab/tools';

/** What an editor named, as servers of ours; `notes` say which of them have another name here, or no place. */
export interface EditorServers {
  readonly servers: readonly McpServerConfig[];
  readonly notes: readonly string[];
}

/** The servers that the user of an editor configured there. They are the user's as those of their own file are. */
export function toServerConfigs(given: readonly McpServer[]): EditorServers {
  const servers: McpServerConfig[] = [];
  const notes: string[] = [];
  for (const server of given) {
    const name = toName(server.name);
    const transport = toTransport(server);
    if (name === undefined)
      notes.push(`The editor's MCP server ${JSON.stringify(server.name)} is left out: its name has no letters or digits.`);
    else if (transport === undefined)
      notes.push(`The editor's MCP server ${name} is left out: its address has to begin with http:// or https://.`);
    else if (servers.some((one) => one.name.toLowerCase() === name.toLowerCase()))
      notes.push(`An MCP server of the editor is left out: another one is called ${name}, too.`);
    else servers.push({ name, transport });
    if (name !== undefined && name !== server.name)
      notes.push(`The editor's MCP server ${JSON.stringify(server.name)} is called ${name} here.`);
  }
  return { servers, notes };
}

/** The name with what names can't hold taken out; undefined where nothing is left. */
function toName(text: string): string | undefined {
  if (isMcpServerName(text)) return text;
  const name = text
    .replaceAll(/[^a-zA-Z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, MAX_MCP_SERVER_NAME);
  return isMcpServerName(name) ? name : undefined;
}

function toTransport(server: McpServer): McpServerConfig['transport'] | undefined {
  if (!('url' in server)) return { kind: 'stdio', command: server.command, args: server.args, env: pairsOf(server.env) };
  return /^https?:\/\//.test(server.url) ? { kind: server.type, url: server.url, headers: pairsOf(server.headers) } : undefined;
}

const pairsOf = (pairs: readonly { readonly name: string; readonly value: string }[]): Readonly<Record<string, string>> =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
