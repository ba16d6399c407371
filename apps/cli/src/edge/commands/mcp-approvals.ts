import type { Command } from 'commander';
import type { ApprovalsOptions } from '../mcp/run-approvals.js';

/** `codelab mcp approvals`: decides what programs want that `codelab mcp serve` serves. */
export function registerMcpApprovals(mcp: Command): void {
  mcp
    .command('approvals')
    .description('decide here what other programs want of the folder; `codelab chat` shows their questions, too')
    .option('--workspace <dir>', 'the folder that is served', '.')
    .action(async (options: ApprovalsOptions) => {
      const { runApprovals } = await import('../mcp/run-approvals.js');
      const { stdin, stdout } = process;
      await runApprovals(options, { stdin, stdout });
    });
}
