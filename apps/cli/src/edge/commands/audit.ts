import { InvalidArgumentError, type Command } from 'commander';
import type { AuditOptions } from '../audit/run-audit.js';
import { withGateway } from './gateway-options.js';

/** `codelab audit`: who decided what. */
export function registerAudit(program: Command): void {
  withGateway(program.command('audit'))
    .description('show who decided what: by hand, by a rule, by policy')
    .option('--session <id>', 'of this conversation')
    .option('--limit <n>', 'at most so many rows', toCount, 50)
    .option('--json', 'for programs')
    .action(async (options: AuditOptions) => (await import('../audit/run-audit.js')).showAudit(options, process.stdout));
}

function toCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 100_000) throw new InvalidArgumentError('Give a whole number from 1 to 100000.');
  return count;
}
