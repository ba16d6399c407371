import type { Command } from 'commander';
import type { AcpOptions } from '../acp/run-acp.js';
import { withGateway } from './gateway-options.js';
import { withSessionChoices } from './session-options.js';

/** Signals that end the command. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `codelab acp`: an agent for editors that speak the Agent Client Protocol. */
export function registerAcp(program: Command): void {
  const command = withGateway(program.command('acp'), 'the services of this machine, started if need be').description(
    'be the agent of an editor that speaks the Agent Client Protocol, over stdin and stdout: Zed, JetBrains, Neovim, Emacs',
  );
  withSessionChoices(command, 'conversation')
    .addHelpText('after', '\nThe editor starts it, in no folder in particular: docs/acp.md says how each is set up.')
    .action(async (options: AcpOptions) => {
      const { stdin, stdout, stderr } = process;
      const { Writable } = await import('node:stream');
      const write = stdout.write.bind(stdout);
      const output = new Writable({ write: (chunk: Buffer, _encoding, done) => void write(chunk, (error) => done(error)) });
      stdout.write = stderr.write.bind(stderr); // whatever else is printed here is none of the protocol's
      const end = new AbortController();
      for (const signal of ENDING) process.on(signal, () => end.abort());
      const { runAcp } = await import('../acp/run-acp.js');
      await runAcp(options, { input: stdin, output, say: (text) => void stderr.write(`${text}\n`), signal: end.signal });
      stdin.destroy();
    });
}
