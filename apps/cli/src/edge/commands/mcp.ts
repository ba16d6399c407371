import type { Command } from 'commander';
import { registerMcpApprovals } from './mcp-approvals.js';
import { registerMcpServe } from './mcp-serve.js';

/** `codelab mcp`: the Model Context Protocol, in both directions. */
export function registerMcp(program: Command): void {
  const mcp = program.command('mcp').description('the Model Context Protocol: serve the tools of a folder to other programs');
  registerMcpServe(mcp);
  registerMcpApprovals(mcp);
}
