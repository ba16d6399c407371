import { Argument, type Command } from 'commander';

/** What can be measured, and the program that does it. */
const PROGRAMS: Readonly<Record<string, string>> = {
  steps: 'bench/run.ts',
  files: 'bench/workspace.ts',
  'llm-proxy': 'bench/llm-proxy.ts',
  'code-index': 'bench/code-index.ts',
  recovery: 'bench/recovery.ts',
};

/** `codelab bench [what]`: measures a part of the system beside its baseline, the least code that does the same. */
export function registerBench(program: Command): void {
  program
    .command('bench')
    .description(
      'measure round trips and steps, the file tools, the index of the code or the LLM proxy beside baseline programs, or the recovery after kills',
    )
    .addArgument(new Argument('[what]', 'what is measured').choices(Object.keys(PROGRAMS)).default('steps'))
    .option('--profile', 'steps only: show what each service spends its CPU time on')
    .action(async (what: string, { profile }: { profile?: boolean }) => {
      const { runScript } = await import('../run-script.js');
      const fromSource = ['--conditions=codelab-source', '--import', './scripts/register-swc.mjs'];
      process.exitCode = await runScript([...fromSource, PROGRAMS[what] ?? '', ...(profile ? ['--profile'] : [])]);
    });
}
