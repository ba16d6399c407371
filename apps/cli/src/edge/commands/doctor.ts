import type { Command } from 'commander';

/** `codelab doctor`: a line for each thing that CodeLab needs. Exits with 1 when something that is required is missing. */
export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('what is installed, reachable or missing, and how to get it')
    .action(async () => {
      const [{ readCliConfig }, { inspectMachine }, { renderFindings }] = await Promise.all([
        import('../config.js'),
        import('../doctor/inspect-machine.js'),
        import('../../core/doctor/findings.js'),
      ]);
      const findings = await inspectMachine(readCliConfig());
      process.stdout.write(renderFindings(findings));
      if (findings.some(({ state }) => state === 'wrong')) process.exitCode = 1;
    });
}
