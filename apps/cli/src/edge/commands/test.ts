import type { Command } from 'commander';

/** `codelab test`: every check of the repository; the last line is `N passed, N failed`. */
export function registerTest(program: Command): void {
  program
    .command('test')
    .description('run every check of this repository')
    .argument('[layers...]', 'only these: `codelab test ide` runs the editor extension in a real VS Code, which nothing else does')
    .option('--quick', 'format, lint, imports, types and unit tests only')
    .action(async (layers: readonly string[], { quick }: { quick?: boolean }) => {
      const [
        { runScript },
        { childEnvironment, readCliConfig },
        { fetchPrograms },
        { findProgram },
        { CHROMIUM, GIT, JUPYTER, REDIS_SERVER, RIPGREP },
      ] = await Promise.all([
        import('../run-script.js'),
        import('../config.js'),
        import('../programs/fetch-programs.js'),
        import('../programs/plan-programs.js'),
        import('../../core/programs/program-need.js'),
      ]);
      const say = (text: string) => void process.stderr.write(`${text}\n`);
      const isRoot = process.getuid?.() === 0;
      const hasBrowser =
        childEnvironment()['CODELAB_CHROMIUM'] !== undefined || (await findProgram({ ...CHROMIUM, name: 'google-chrome' }));
      const forTests = isRoot ? [JUPYTER, ...(hasBrowser ? [] : [CHROMIUM])] : [];
      const used = [GIT, REDIS_SERVER, { ...RIPGREP, use: 'required' as const }, ...forTests]; // the tests use real programs
      if (!quick) await fetchPrograms(used, { dataDir: readCliConfig().dataDir, say });
      process.exitCode = await runScript(['scripts/verify.mjs', ...layers, ...(quick ? ['--quick'] : [])]);
    });
}
