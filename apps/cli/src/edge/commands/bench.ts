import { Argument, type Command } from 'commander';

/** What can be measured, and the program that does it. */
const PROGRAMS: Readonly<Record<string, string>> = {
  steps: 'bench/run.ts',
  files: 'bench/workspace.ts',
  'llm-proxy': 'bench/llm-proxy.ts',
  'code-index': 'bench/code-index.ts',
  recovery: 'bench/recovery.ts',
  retention: 'bench/retention.ts',
  scale: 'bench/scale.ts',
};

/** What has parts that are measured one by one; without a word all of `scale` but `soak`, and all of `retention` but `results`. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  scale: ['cost', 'roll', 'idle', 'waiting', 'throughput', 'soak'],
  retention: ['parked', 'ended', 'results'],
};
/** `scale has cost, roll …` */
const described = Object.entries(PARTS)
  .map(([name, parts]) => `${name} has ${parts.join(', ')}`)
  .join('; ');

interface BenchOptions {
  readonly profile?: boolean;
  readonly cluster?: boolean;
  readonly minutes?: string;
}

/** `codelab bench [what]`: measures a part of the system beside its baseline, the least code that does the same. */
export function registerBench(program: Command): void {
  program
    .command('bench')
    .description(
      'measure round trips and steps, the file tools, the index of the code or the LLM proxy beside baseline programs, the recovery after kills, what sessions leave behind, or how the system grows',
    )
    .addArgument(new Argument('[what]', 'what is measured').choices(Object.keys(PROGRAMS)).default('steps'))
    .argument('[parts...]', `${described}; all but the last without a word`)
    .option('--profile', 'steps only: show what each service spends its CPU time on')
    .option('--cluster', 'scale only: over a Redis Cluster of three')
    .option('--minutes <minutes>', 'scale only: how long the soak takes (30)')
    .action(async (what: string, parts: readonly string[], { profile, cluster, minutes }: BenchOptions, command: Command) => {
      const unknown = parts.find((part) => PARTS[what]?.includes(part) !== true);
      if (unknown !== undefined) command.error(`error: ${unknown} is no part of ${what}: ${described}`);
      const { runScript } = await import('../run-script.js');
      const fromSource = ['--conditions=codelab-source', '--import', './scripts/register-swc.mjs'];
      const options = [
        ...(profile === true ? ['--profile'] : []),
        ...(cluster === true ? ['--cluster'] : []),
        ...(minutes === undefined ? [] : ['--minutes', minutes]),
      ];
      process.exitCode = await runScript([...fromSource, PROGRAMS[what] ?? '', ...parts, ...options]);
    });
}
