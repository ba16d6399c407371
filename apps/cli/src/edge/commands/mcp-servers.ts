import { Option, type Command } from 'commander';
import type { AddOptions } from '../mcp/run-add.js';
import type { ServerOptions } from '../mcp/command-place.js';
import type { TestOptions } from '../mcp/run-test.js';

/** `codelab mcp add|list|login|logout|remove|test|approve`: the MCP servers whose tools models may use here. */
export function registerMcpServers(mcp: Command): void {
  const collect = (word: string, words: readonly string[]): readonly string[] => [...words, word];
  const command = (usage: string, description: string): Command =>
    mcp.command(usage).description(description).option('--workspace <dir>', 'the folder whose files count, too', '.');
  const inFile = (): Option =>
    new Option('--scope <scope>', 'user: your own file; project: .mcp.json of the folder').choices(['user', 'project']).default('user');

  command('add <name> [command...]', 'add a server: its command line behind --, or its URL')
    .addOption(
      new Option('--transport <kind>', 'how it is spoken to (default: http for a URL, else stdio)').choices(['stdio', 'http', 'sse']),
    )
    .option('--env <NAME=VALUE>', 'a variable of its environment; repeatable; ${NAME} in a value is read when it starts', collect, [])
    .option('--header <NAME:VALUE>', 'a header of its requests; repeatable', collect, [])
    .addOption(inFile())
    .addHelpText(
      'after',
      '\nExamples:\n  codelab mcp add files -- npx -y @modelcontextprotocol/server-filesystem .\n  codelab mcp add docs https://example.com/mcp',
    )
    .action(async (name: string, words: readonly string[], options: AddOptions) =>
      (await import('../mcp/run-add.js')).addServer(name, words, options, process.stdout),
    );
  command('list', 'show the servers with their states, after a short connect')
    .option('--json', 'for programs')
    .action(async (options: ServerOptions & { readonly json?: true }) => {
      process.exitCode = await (await import('../mcp/run-list.js')).listServers(options, process.stdout);
    });
  command('login <name>', 'log in to a remote server, in the browser').action(async (name: string, options: ServerOptions) =>
    (await import('../mcp/run-login.js')).login(name, options, process.stdout),
  );
  command('logout <name>', 'forget the login of a server').action(async (name: string, options: ServerOptions) =>
    (await import('../mcp/run-login.js')).logout(name, options, process.stdout),
  );
  command('remove <name>', 'take a server out of its file')
    .addOption(inFile())
    .action(async (name: string, options: AddOptions) => (await import('../mcp/run-add.js')).removeServer(name, options, process.stdout));
  command('test <name>', 'connect to a server and list what it offers')
    .option('--call <tool>', 'call this tool of it instead')
    .option('--args <json>', 'with these arguments', '{}')
    .action(async (name: string, options: TestOptions) => {
      process.exitCode = await (await import('../mcp/run-test.js')).testServer(name, options, process.stdout);
    });
  command('approve', 'look at the servers that a folder names, and say whether they may run').action(async (options: ServerOptions) =>
    (await import('../mcp/run-approve.js')).approveFiles(options, { stdin: process.stdin, stdout: process.stdout }),
  );
}
