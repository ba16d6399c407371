import type { Command } from 'commander';

/** `codelab token`: prints the token that a client of this machine's services presents. */
export function registerToken(program: Command): void {
  program
    .command('token')
    .description('print the token of the stack that runs here, else of this machine; it is generated when there is none')
    .action(async () => {
      const [{ readCliConfig }, { localToken }, { findLocalStack }] = await Promise.all([
        import('../config.js'),
        import('../local-token.js'),
        import('@codelab/client/local-stack'),
      ]);
      const config = readCliConfig();
      const running = await findLocalStack(config.dataDir);
      process.stdout.write(`${running?.token ?? (await localToken(config))}\n`);
    });
}
