import { InvalidArgumentError, type Command } from 'commander';
import type { StackShape } from '../../core/stack/plan-stack.js';

interface UpOptions extends StackShape {
  readonly json?: boolean;
  readonly whileHeld?: boolean;
}

/** `codelab up`: starts everything on this machine and keeps it alive until it is told to stop. */
export function registerUp(program: Command): void {
  program
    .command('up')
    .description('start Redis and the services on this machine, and keep them alive')
    .option('--gateways <n>', 'number of gateways', toCount, 1)
    .option('--runtimes <n>', 'number of agent runtimes', toCount, 1)
    .option('--proxies <n>', 'number of LLM proxies', toCount, 1)
    .option(
      '--json',
      'one line of JSON on stdout when everything is ready; free ports unless GATEWAY_PORT, RUNTIME_PORT, LLM_PROXY_PORT say',
    )
    .option('--while-held', 'end when nobody holds the stack any more (see hold_port in stack.json)')
    .action(async (options: UpOptions) => {
      const { runUp } = await import('../stack/run-up.js');
      await runUp({ ...options, json: options.json ?? false, whileHeld: options.whileHeld ?? false });
    });
}

function toCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 32) throw new InvalidArgumentError('Give a whole number from 1 to 32.');
  return count;
}
