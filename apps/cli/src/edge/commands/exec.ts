import { Option, type Command } from 'commander';
import type { ExecOptions } from '../exec/exec-io.js';
import { withGateway } from './gateway-options.js';
import { withSessionChoices } from './session-options.js';

/** `codelab exec`: one turn, without anybody watching. */
export function registerExec(program: Command): void {
  const command = withGateway(program.command('exec'), 'the services of this machine, started if need be')
    .description('run one turn: the answer goes to stdout, progress to stderr')
    .argument('[prompt]', 'what to do; `-`, or nothing and a pipe: read from stdin')
    .option('--workspace <dir>', 'the folder to work on', '.')
    .option('--session <id>', 'go on with this conversation')
    .addOption(
      new Option('--approve <who>', 'who decides what is asked: nobody, a rule, or you (default: ask at a terminal, else none)').choices([
        'none',
        'all',
        'ask',
      ]),
    )
    .option('--attach <path>', 'a file that goes with the prompt, PATH or PATH:10-20; repeatable, like @PATH in the prompt', collect, [])
    .option('--attach-secrets', 'attach files that look like secrets, too');
  withSessionChoices(command, 'turn')
    .option('--json', 'print every frame of the server as one line of JSON, and nothing else, on stdout')
    .option('--trace', 'print the time and trace context of each frame on stderr')
    .addHelpText('after', '\nExit code: 0 completed, 1 failed, 2 usage, 3 cancelled, 4 an approval was refused for lack of a human')
    .action(async (prompt: string | undefined, options: ExecOptions) => {
      const { runExec } = await import('../exec/run-exec.js');
      const { stdin, stdout, stderr } = process;
      process.exitCode = await runExec(prompt, options, {
        stdin,
        stdout,
        stderr,
        onInterrupt(interrupt) {
          process.on('SIGINT', interrupt);
          return () => void process.off('SIGINT', interrupt);
        },
      });
    });
}

const collect = (word: string, words: readonly string[]): readonly string[] => [...words, word];
