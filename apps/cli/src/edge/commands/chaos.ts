import { setMaxListeners } from 'node:events';
import { InvalidArgumentError, type Command } from 'commander';

const MAX_SEED = 2 ** 31;
const MAX_LANES = 16;

/** What `codelab chaos` is called with. */
interface ChaosWords {
  readonly seeds?: number;
  readonly minutes?: number;
  readonly seed?: number;
  readonly faults?: readonly number[];
  readonly report?: string;
  readonly lanes?: number;
  readonly repeated?: boolean;
  readonly other?: string;
  readonly mutants?: string | true;
}

/** `codelab chaos`: breaks real processes by a seed and checks that every promise holds. */
export function registerChaos(program: Command): void {
  program
    .command('chaos')
    .description('kill, freeze and cut a system of its own at every moment of a turn, and check what it promises')
    .option('--seeds <n>', 'how many schedules (default: 50, or as many as --minutes has time for)', toInteger(1, MAX_SEED))
    .option('--minutes <n>', 'begin no more schedules after this time; what had none is told', toInteger(1, 10_000))
    .option('--seed <n>', 'the first schedule; alone: only this one', toInteger(0, MAX_SEED))
    .option('--faults <numbers>', 'with one --seed: only these faults of its schedule, such as 1,3; or none', toNumbers)
    .option('--report <dir>', 'write a report to look at, and the recordings of what failed, into this folder')
    .option('--lanes <n>', 'systems side by side (default: one a core, at most 4)', toInteger(1, MAX_LANES))
    .option('--repeated', 'exit with 1 only for what breaks again when its schedule is run again')
    .option('--other <dir>', 'a clone of another version, built: services are rolled to it and back while they work')
    .option('--mutants [which]', 'prove the suite by planted faults: all, those with this name, or a number of them, others each day')
    .addHelpText(
      'after',
      '\nExit code: 0 every promise held, 1 one was broken, 2 usage\nWhat is done and what is checked: docs/reliability.md',
    )
    .action(async (words: ChaosWords) => {
      const { runChaos } = await import('../chaos/run-chaos.js');
      const stop = new AbortController();
      setMaxListeners(0, stop.signal); // every fault of every system waits with it
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stop.abort()); // what it started ends, too
      process.exitCode = await runChaos(words, { stdout: process.stdout, signal: stop.signal });
    });
}

const toInteger =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isInteger(value) || value < min || value > max)
      throw new InvalidArgumentError(`It is a whole number from ${String(min)} to ${String(max)}.`);
    return value;
  };

const toNumbers = (text: string): readonly number[] => (text === 'none' ? [] : text.split(',').map(toInteger(1, 1_000)));
