import type { Command } from 'commander';
import type { ConfigOptions } from '../user-config/run-config.js';

/** `codelab config`: the settings of this user. */
export function registerConfig(program: Command): void {
  program
    .command('config')
    .description('show the settings of this user, and where each comes from')
    .option('--path', 'print where the file is')
    .option('--init', 'write a file that tells of every setting and sets none')
    .action(async (options: ConfigOptions) => {
      const { runConfig } = await import('../user-config/run-config.js');
      await runConfig(options);
    });
}
