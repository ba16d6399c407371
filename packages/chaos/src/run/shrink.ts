import type { Plan } from '../plan/plan.js';

/** How often a schedule runs before it counts as one that doesn't fail: what depends on real time may take more than one try. */
const TRIES = 2;

/** A shorter schedule that fails as well, or that it didn't fail again. */
export interface Shrunk {
  readonly plan: Plan;
  /** Whether the whole schedule failed once more. */
  readonly isRepeated: boolean;
  readonly runs: number;
}

/**
 * Leaves out faults for as long as the run still fails: halves first, then one by one, until there is none left that it could do without: one
 * that was needed may not be any more when another is gone. `fails` runs a schedule and says so. Whether the whole schedule fails again is tried in any case; after `isLate`
 * nothing more is.
 */
export async function shrink(plan: Plan, fails: (plan: Plan) => Promise<boolean>, isLate: () => boolean = () => false): Promise<Shrunk> {
  let runs = 0;
  const failsAgain = async (part: Plan, inAnyCase = false): Promise<boolean> => {
    for (let tries = 0; tries < TRIES && (inAnyCase || !isLate()); tries += 1) {
      runs += 1;
      if (await fails(part)) return true;
    }
    return false;
  };
  if (!(await failsAgain(plan, true))) return { plan, isRepeated: false, runs };
  let left = plan;
  for (let size = Math.ceil(plan.faults.length / 2); size >= 1 && !isLate();) {
    const before = left.faults.length;
    for (let from = 0; from < left.faults.length && !isLate();) {
      const part = { ...left, faults: left.faults.filter((_, index) => index < from || index >= from + size) };
      if (await failsAgain(part)) left = part;
      else from += size;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (left.faults.length === before) break;
  }
  return { plan: left, isRepeated: true, runs };
}
