import type { Command } from 'commander';

/** `codelab bench`: measures the system against its floor programs; what follows is handed on. */
export function registerBench(program: Command): void {
  program
    .command('bench')
    .description('measure round trips and steps against a floor program')
    .argument('[words...]', 'handed on to the benchmark')
    .allowUnknownOption()
    .action(async (words: string[]) => {
      const { runScript } = await import('../run-script.js');
      const fromSource = ['--conditions=codelab-source', '--import', './scripts/register-swc.mjs'];
      process.exitCode = await runScript([...fromSource, 'bench/run.ts', ...words]);
    });
}
