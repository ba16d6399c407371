import { findMutants, MUTANTS, mutantsOfDay, runMutants, type Mutant } from '../mutants/index.js';
import { duration } from '../report/plots/scale.js';
import { writeReport, type MutantRow } from '../report/index.js';
import { describeMachine, presentCommit } from '../report/machine.js';
import { ownRoot } from '../system/installation.js';
import { Lane } from './lane.js';
import { productParts } from './product-parts.js';
import type { ChaosIo } from './run-chaos.js';

/** Which planted faults are run, and how long each may hide. */
export interface ProofOptions {
  /** Every one; those whose names have this in them; or, of a number, that many, others each day. */
  readonly which: string | true;
  /** Seeds for each. Default 20. */
  readonly seeds?: number;
  readonly firstSeed?: number;
  /** No more seeds begin after this time; a fault that no seed has caught until then is counted neither way. */
  readonly minutes?: number;
  /** Systems side by side. Default 2. */
  readonly lanes?: number;
  /** A folder for the report. */
  readonly report?: string;
}

const chosen = (which: string | true): readonly Mutant[] => {
  if (which === true) return MUTANTS;
  return /^\d+$/.test(which) ? mutantsOfDay(MUTANTS, Number(which), Date.now()) : findMutants(MUTANTS, which);
};

const endOf = ({ caught, isCutShort }: MutantRow): { readonly mark: string; readonly words: string } => {
  if (caught !== undefined)
    return { mark: '✓', words: `seed ${String(caught.seed)}, the ${String(caught.after)}th: ${caught.promise}: ${caught.text}` };
  return isCutShort === true ? { mark: '–', words: 'not caught before the time was over' } : { mark: '✗', words: 'NOT CAUGHT' };
};

const lineOf = (row: MutantRow): string => {
  const { name, place, promise, tookMs } = row;
  const { mark, words } = endOf(row);
  return `${mark} ${name.padEnd(26)} ${place.padEnd(8)} ${promise.padEnd(7)} ${duration(tookMs).padStart(9)}  ${words}`;
};

/**
 * The suite's own proof: runs seeds against each planted fault until one breaks a promise. Returns the exit code: 1 if one was not caught by all its seeds, or it was ended.
 */
export async function proveSuite(options: ProofOptions, { stdout, command, signal, env }: ChaosIo): Promise<number> {
  const startedAt = new Date();
  const began = performance.now();
  const mutants = chosen(options.which);
  const rows = await runMutants({
    ...{
      mutants,
      root: ownRoot,
      seeds: options.seeds,
      firstSeed: options.firstSeed,
      minutes: options.minutes,
      lanes: options.lanes ?? 2,
      signal,
    },
    onRow: (row) => void stdout.write(`${lineOf(row)}\n`),
    openLane: async ({ root, clientExecArgv }) => {
      const parts = productParts({ env, clientExecArgv });
      try {
        const lane = await Lane.open({ parts, store: 'single', root });
        return { run: (seed) => lane.run(seed, signal), close: () => lane.close().finally(() => parts.close()) };
      } catch (error) {
        parts.close();
        throw error;
      }
    },
  });
  const caught = rows.filter((row) => row.caught !== undefined).length;
  const cutShort = rows.filter(({ isCutShort }) => isCutShort).length;
  if (options.report !== undefined) {
    const facts = {
      command,
      commit: await presentCommit(ownRoot),
      machine: describeMachine(),
      startedAt,
      tookMs: performance.now() - began,
    };
    stdout.write(`report: ${await writeReport(options.report, { ...facts, seeds: [], failures: [], mutants: rows })}\n`);
  }
  stdout.write(
    `${String(caught)} of ${String(mutants.length)} planted faults caught${cutShort === 0 ? '' : `, ${String(cutShort)} without an end: the time was over`}\n`,
  );
  return !signal.aborted && caught + cutShort === mutants.length ? 0 : 1;
}
