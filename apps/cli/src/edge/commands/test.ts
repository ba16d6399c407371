import type { Command } from 'commander';

/** `codelab test`: every check of the repository; the last line is `N passed, N failed`. */
export function registerTest(program: Command): void {
  program
    .command('test')
    .description('run every check of this repository')
    .option('--quick', 'format, lint, imports, types and unit tests only')
    .action(async ({ quick }: { quick?: boolean }) => {
      const [{ runScript }, { ensureTestPrograms }] = await Promise.all([import('../run-script.js'), import('../ensure-test-programs.js')]);
      if (!quick) await ensureTestPrograms((text) => void process.stderr.write(`${text}\n`));
      process.exitCode = await runScript(['scripts/verify.mjs', ...(quick ? ['--quick'] : [])]);
    });
}
