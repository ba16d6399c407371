import type { Command } from 'commander';
import { registerMcpApprovals } from './mcp-approvals.js';
import { registerMcpServers } from './mcp-servers.js';
import { registerMcpServe } from './mcp-serve.js';

/** `codelab mcp`: the Model Context Protocol, in both directions. */
export function registerMcp(program: Command): void {
  const mcp = program.command('mcp').description('the Model Context Protocol: use the tools of other servers, and serve those of a folder');
  registerMcpServers(mcp);
  registerMcpServe(mcp);
  registerMcpApprovals(mcp);
}
