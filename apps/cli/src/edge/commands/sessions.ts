import { Option, type Command } from 'commander';
import type { GatewayOptions } from '../session/choose-gateway.js';
import { withGateway } from './gateway-options.js';

/** `codelab sessions`: the conversations that the servers keep. */
export function registerSessions(program: Command): void {
  const sessions = program.command('sessions').description('list, show, export and delete conversations');
  const add = (usage: string, description: string): Command =>
    withGateway(sessions.command(usage, { isDefault: usage === 'list' })).description(description);
  const run = async () => import('../sessions/run-sessions.js');

  add('list', 'list them, the latest first (default)')
    .option('--tasks', 'with the agents that work on parts of their tasks, or did within the last hour')
    .action(async (options: GatewayOptions & { readonly tasks?: true }) => (await run()).listSessions(options, process.stdout));
  add('show <id>', 'show one as chat does').action(async (id: string, options: GatewayOptions) =>
    (await run()).showSession(id, options, process.stdout),
  );
  add('export <id>', 'print one in full')
    .addOption(new Option('--format <format>', 'for people, or for programs').choices(['markdown', 'json']).default('markdown'))
    .action(async (id: string, options: GatewayOptions & { readonly format: 'markdown' | 'json' }) =>
      (await run()).exportSession(id, options.format, options, process.stdout),
    );
  add('delete <id>', 'delete one, with everything that is kept of it').action(async (id: string, options: GatewayOptions) =>
    (await run()).deleteSession(id, options, process.stdout),
  );
}
