import { Option, type Command } from 'commander';
import type { AddOptions, ListOptions } from '../rules/run-rules.js';
import type { GatewayOptions } from '../session/choose-gateway.js';
import { withGateway } from './gateway-options.js';

/** `codelab rules`: what was decided once for calls to come. */
export function registerRules(program: Command): void {
  const rules = program.command('rules').description('list, add and remove the rules by which calls run, ask or are refused');
  const add = (usage: string, description: string): Command =>
    withGateway(rules.command(usage, { isDefault: usage === 'list' })).description(description);
  const run = async () => import('../rules/run-rules.js');

  add('list', 'list them, the latest first (default)')
    .option('--session <id>', 'those of this conversation')
    .option('--json', 'for programs')
    .action(async (options: ListOptions) => (await run()).listRules(options, process.stdout, process.stderr));
  add('remove <rule_id>', 'revoke one').action(async (id: string, options: GatewayOptions) =>
    (await run()).removeRule(id, options, process.stdout),
  );
  add('add', 'make one: deny beats ask beats allow')
    .addOption(new Option('--scope <scope>', 'how far it reaches').choices(['session', 'project', 'user']).makeOptionMandatory())
    .option('--allow <tool>', 'calls of this tool run unasked; mcp__github__* is every tool of that MCP server')
    .option('--ask <tool>', 'calls of this tool are asked about')
    .option('--deny <tool>', 'calls of this tool are refused; * is every tool')
    .option('--host <host>', 'of web.fetch: only pages of this host; *.example.com is every host below one')
    .option('--path <glob>', 'only on these paths: * within a folder, ** over folders')
    .option('--command <words>', 'only commands that begin with these words')
    .option('--exact', 'the command is these words and no more')
    .option('--expires <time>', 'it ends after so long, such as 12h, 7d or 2w')
    .option('--proxy', 'it holds for programs that come through the proxy, too')
    .option('--session <id>', 'the conversation of --scope session')
    .option('--workspace <dir>', 'the folder of --scope project, and of what a command runs', '.')
    .action(async (options: AddOptions) => (await run()).addRule(options, process.stdout));
}
