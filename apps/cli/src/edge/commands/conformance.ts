import { InvalidArgumentError, type Command } from 'commander';
import type { ConformanceOptions } from '../conformance/run-conformance.js';

const MAX_PORT = 65_535;
const MAX_JOBS = 32;

/** `codelab conformance`: checks somebody's gateway, or somebody's client, against docs/protocol. */
export function registerConformance(program: Command): void {
  program
    .command('conformance')
    .description('check a gateway (--url) or a client (--listen) against the protocol')
    .option('--url <ws>', 'check the gateway at this address, such as ws://127.0.0.1:8000')
    .option('--token <token>', 'its token (default: CODELAB_TOKEN)')
    .option('--other-token <token>', 'the token of another person, for what is kept apart')
    .option('--kill <command>', 'a shell command that kills the gateway, which then comes back by itself: checks what it must remember')
    .option('--drain <command>', 'a shell command that asks the gateway to stop (SIGTERM), which then comes back')
    .option('--listen', 'check a client: play a gateway to it')
    .option(
      '--run <command>',
      'with --listen: the shell command that starts the client, once for each check; it gets CODELAB_URL and others',
    )
    .option('--port <port>', 'with --listen: where to listen, if the client is started by hand (default: a free port)', toInteger(MAX_PORT))
    .option('--jobs <n>', 'with --run: clients side by side', toInteger(MAX_JOBS), 4)
    .option('--only <id>', 'a check, or a family of them such as `digest`; repeatable', collect, [])
    .option('--json', 'print each result as one line of JSON')
    .addHelpText('after', '\nExit code: 0 nothing failed, 1 a check failed, 2 usage\nThe checks: docs/conformance.md')
    .action(async (options: ConformanceOptions) => {
      const { runConformance } = await import('../conformance/run-conformance.js');
      const stop = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stop.abort()); // the clients that it started end, too
      const { stdout, stderr } = process;
      process.exitCode = await runConformance(options, { stdout, stderr, signal: stop.signal });
    });
}

const collect = (word: string, words: readonly string[]): readonly string[] => [...words, word];

const toInteger =
  (max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 0 || value > max) throw new InvalidArgumentError(`It is a number up to ${String(max)}.`);
    return value;
  };
