import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawPlan } from '../plan/draw-plan.js';
import type { Plan } from '../plan/plan.js';
import type { MutantRow } from '../report/report-data.js';
import type { MutantLane } from './mutant-lane.js';
import { ownersOf } from '../workload/script/owners.js';
import { writeScripts } from '../workload/script/write-scripts.js';
import type { Mutant, ShownBy } from './mutant.js';
import { plantMutant, type PlantedInstallation } from './plant.js';
import { SoundProduct } from './sound-product.js';

/** What is run. */
export interface MutantRun {
  readonly mutants: readonly Mutant[];
  /** The installation that the faults are planted into a copy of. */
  readonly root: string;
  /** Seeds that a fault is given to be caught by. Default 20. */
  readonly seeds?: number;
  /** Default: those that have shown a fault, then from 1 on. */
  readonly firstSeed?: number;
  /** No more seeds begin after this time. Default: all do. */
  readonly minutes?: number;
  /** Systems side by side. Default 1. */
  readonly lanes?: number;
  readonly openLane: (planted: PlantedInstallation) => Promise<MutantLane>;
  /** Hears of each mutant when it is caught, or is not. */
  readonly onRow?: (row: MutantRow) => void;
  readonly signal?: AbortSignal;
}

/**
 * Runs seeds against each planted fault until one of them breaks a promise that the product keeps in this seed. The suite is proven when every row is caught. Rows come in the
 * order of the mutants; `onRow` hears them as they end.
 */
export async function runMutants(run: MutantRun): Promise<MutantRow[]> {
  const { mutants, root, lanes = 1, minutes = Infinity, openLane, onRow, signal } = run;
  const product = new SoundProduct(() => openLane({ root, clientExecArgv: [] }));
  const rows = new Map<Mutant, MutantRow>();
  const waiting = [...mutants];
  const began = performance.now();
  const isOver = (): boolean => signal?.aborted === true || performance.now() - began > minutes * 60_000;
  const work = async (): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined && signal?.aborted !== true; mutant = waiting.shift()) {
      const row = await runMutant(mutant, run, product, isOver);
      rows.set(mutant, row);
      onRow?.(row);
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, work));
  } finally {
    await product.close();
  }
  return mutants.flatMap((mutant) => rows.get(mutant) ?? []);
}

async function runMutant(
  mutant: Mutant,
  { root, seeds = 20, firstSeed, openLane }: MutantRun,
  product: SoundProduct,
  isOver: () => boolean,
): Promise<MutantRow> {
  const began = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'codelab-mutant-'));
  let lane: MutantLane | undefined;
  let caught: MutantRow['caught'];
  let isCutShort = false;
  try {
    lane = await openLane(await plantMutant(mutant, root, join(folder, 'installation')));
    let after = 0;
    for (const seed of seedsFor(mutant, firstSeed)) {
      if (after === seeds || caught !== undefined) break;
      isCutShort = isOver();
      if (isCutShort) break;
      after += 1;
      const { violations } = await lane.run(seed);
      const own = violations.length === 0 ? undefined : await product.breaks(seed);
      const violation = violations.find(({ promise }) => own?.has(promise) === false);
      if (violation !== undefined) caught = { seed, after, promise: violation.promise, text: violation.text };
    }
  } finally {
    await lane?.close();
    await rm(folder, { recursive: true, force: true });
  }
  const { name, place, promise, fault } = mutant;
  return { name, place, promise, fault, caught, isCutShort, tookMs: performance.now() - began };
}

/** Schedules that are looked through for those that can show a fault. */
const MOST_LOOKED = 2_000;

/**
 * Seeds that can show a fault, from `first` on; without it, those that have shown it come before all others. A planted fault runs over a single Redis, so that the schedules
 * of others would lose what they can't.
 */
export function* seedsFor({ shownBy = {} }: Mutant, first?: number): Generator<number> {
  const known = first === undefined ? (shownBy.seeds ?? []) : [];
  yield* known;
  const from = first ?? 1;
  for (let seed = from; seed < from + MOST_LOOKED; seed += 1) if (!known.includes(seed) && canShow(drawPlan(seed), shownBy)) yield seed;
}

function canShow({ seed, store, faults }: Plan, { faults: names, amount: wanted, on, says }: ShownBy): boolean {
  if (store !== 'single') return false;
  if (says !== undefined && !says.test(JSON.stringify(writeScripts(seed, ownersOf(0))))) return false;
  if (names === undefined) return true;
  if (names.length === 0) return faults.length === 0;
  return faults.some(
    ({ name, amount, trigger }) => names.includes(name) && amount === (wanted ?? amount) && (on === undefined || on.includes(trigger.on)),
  );
}
