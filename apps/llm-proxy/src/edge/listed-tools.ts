import { readFile } from 'node:fs/promises';
import type { Owner } from '@codelab/bus';
import { isFor, NO_TOOLS_FILE, parseToolsFile, type ToolsFile } from '@codelab/config-file';
import { findToolsFile, type Logger } from '@codelab/service-shell';
import type { NewToolChecks } from '../core/tool-runs/catalog/parse-new-tool.js';
import type { ProxyConfig } from './config.js';

/** What the operator lists for the tools of an owner. */
export type ListedTools = (owner: Owner) => Omit<NewToolChecks, 'checkUrl'>;

/**
 * Reads the names of the tools file: MCP servers, and secrets with their hosts. No secret itself is read here; the runtime sends them, and tells
 * what is wrong with the file.
 */
export async function openListedTools(config: ProxyConfig, logger: Logger): Promise<ListedTools> {
  const file = await readNames(findToolsFile(config), logger);
  return (owner) => ({
    hasMcpServer: (name) => {
      const entry = Object.hasOwn(file.mcp_servers, name) ? file.mcp_servers[name] : undefined;
      return entry !== undefined && isFor(entry, owner);
    },
    hostsOfSecret: (name) => {
      const entry = Object.hasOwn(file.secrets, name) ? file.secrets[name] : undefined;
      return entry !== undefined && isFor(entry, owner) ? entry.hosts : undefined;
    },
  });
}

async function readNames(path: string | undefined, logger: Logger): Promise<ToolsFile> {
  if (path === undefined) return NO_TOOLS_FILE;
  try {
    return parseToolsFile(await readFile(path, 'utf8'), () => 'set').file;
  } catch (error) {
    logger.warn({ event: 'tools_file.unreadable', name: (error as Error).name }); // the runtime doesn't start with it, and says why
    return NO_TOOLS_FILE;
  }
}
