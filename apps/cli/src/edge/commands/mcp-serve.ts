import { InvalidArgumentError, Option, type Command } from 'commander';
import { PERMISSION_MODES, permissionModesText } from '../../core/session/permission-mode.js';
import type { ServeCommandOptions } from '../mcp/run-serve.js';

/** Signals that end the command. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ten minutes, and a day: what a person may take. */
const APPROVAL_SECONDS = 600;
const MAX_APPROVAL_SECONDS = 86_400;

/** `codelab mcp serve`: the tools of a folder for other programs. */
export function registerMcpServe(mcp: Command): void {
  mcp
    .command('serve')
    .description('offer the tools of a folder to another program over MCP; what it writes or runs is asked about')
    .option('--workspace <dir>', 'the folder', '.')
    .option('--http <[host:]port>', 'serve over Streamable HTTP at /mcp, with a bearer token (default: over stdin and stdout)')
    .addOption(new Option('--mode <mode>', `how much is asked. ${permissionModesText()}`).choices(PERMISSION_MODES).default('ask'))
    .addOption(
      new Option(
        '--approve <who>',
        'who decides what is asked: you, by a form of the other program or else a console (ask); you at a console only (console); a rule (all); nobody (none)',
      )
        .choices(['ask', 'console', 'all', 'none'])
        .default('ask'),
    )
    .addOption(
      new Option('--approval-timeout <seconds>', 'how long you may take')
        .argParser(readSeconds)
        .default(APPROVAL_SECONDS, String(APPROVAL_SECONDS)),
    )
    .option('--token-file <path>', 'the file with the token of the endpoint (default: CODELAB_TOKENS, else that of `codelab token`)')
    .option('--allow-host <name>', 'a host name by which the endpoint may be called; repeatable', collect, [])
    .addHelpText(
      'after',
      '\nclaude mcp add codelab -- codelab mcp serve --workspace DIR\nNobody to ask? Run `codelab mcp approvals` in the folder.',
    )
    .action(async (options: ServeCommandOptions) => {
      const { runServe } = await import('../mcp/run-serve.js');
      const end = new AbortController();
      for (const signal of ENDING) process.on(signal, () => end.abort());
      const { stdin, stdout, stderr } = process;
      await runServe(options, { stdin, stdout, stderr, signal: end.signal });
    });
}

const collect = (word: string, words: readonly string[]): readonly string[] => [...words, word];

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= MAX_APPROVAL_SECONDS)) throw new InvalidArgumentError('It is a number of seconds, at most a day.');
  return seconds;
}
