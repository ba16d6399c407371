import { ALL_FAULTS } from '../faults/all-faults.js';
import type { Fault } from '../faults/fault.js';
import type { StoreKind } from '../redis/store.js';
import { drawFrom, type Draw } from './draw.js';
import { MOMENTS, type Moment, type Plan, type PlannedFault } from './plan.js';

/**
 * Faults of one schedule: mostly few, so that what fails can be understood; some have many, and some none: what must happen in time is judged
 * where nothing is broken.
 */
const COUNTS = [0, 1, 2, 2, 3, 3, 3, 4, 4, 5, 8];
/** Later than that after its trigger nothing of the same moment is left to disturb. */
const MOST_DELAY_MS = 60;
/** At which of the moments of its kind a fault begins: an early one, mostly. */
const NTH = [1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 10, 12];
/** When a fault begins that goes by the clock. */
const MOST_BEGIN_MS = 2_500;

/** The schedule of a seed: the same on every machine and in every run of one version of the suite. */
export function drawPlan(seed: number): Plan {
  const draw = drawFrom(seed, 'plan');
  const store = drawStore(seed);
  const faults = ALL_FAULTS.filter(({ stores }) => stores === undefined || stores.includes(store));
  const count = draw.one(COUNTS);
  return {
    seed,
    store,
    faults: Array.from({ length: count }, (_, index) => drawFault(draw.fork(`fault ${String(index)}`), faults, index + 1)),
  };
}

/** Of 25 seeds in a row 21 have one server, two a replica under a sentinel, two a cluster. */
export function drawStore(seed: number): StoreKind {
  const place = seed % 25;
  if (place === 8 || place === 20) return 'sentinel';
  return place === 3 || place === 15 ? 'cluster' : 'single';
}

function drawFault(draw: Draw, faults: readonly Fault[], id: number): PlannedFault {
  const { name, ms, amount = [0, 0] } = drawWeighted(draw, faults);
  const on = draw.one<Moment>(MOMENTS);
  return {
    ...{ id, name },
    target: draw.integer(0, 99),
    trigger: {
      on,
      nth: on === 'begin' ? 1 : draw.one(NTH),
      delayMs: on === 'begin' ? draw.integer(0, MOST_BEGIN_MS) : draw.chance(50) ? 0 : draw.integer(0, MOST_DELAY_MS),
    },
    forMs: draw.integer(...ms),
    amount: draw.integer(...amount),
  };
}

function drawWeighted(draw: Draw, faults: readonly Fault[]): Fault {
  let left = draw.integer(
    1,
    faults.reduce((sum, { weight }) => sum + weight, 0),
  );
  for (const fault of faults) {
    left -= fault.weight;
    if (left <= 0) return fault;
  }
  throw new Error('No fault has a weight.');
}
