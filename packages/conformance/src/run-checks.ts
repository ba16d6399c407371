import { Failure, Skip, type Check, type CheckFacts } from './check.js';

/** How a check ended. */
export interface CheckResult extends CheckFacts {
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  readonly why?: string;
  readonly ms: number;
}

/** What running needs beside the checks. */
export interface RunOptions<Stage> {
  /** Sets a check's stage up; it is taken down behind the check. */
  readonly stage: (check: CheckFacts) => Promise<{ readonly stage: Stage; readonly close: () => Promise<void> }>;
  /** An id, or a family: `digest` names `digest.vectors` and the others. Empty: all. */
  readonly only?: readonly string[];
  /** How many run side by side. */
  readonly jobs?: number;
  readonly onResult?: (result: CheckResult) => void;
  /** Ends the run behind the checks that have begun. */
  readonly signal?: AbortSignal;
}

/** The checks that `only` names. Throws where it names none. */
export function pickChecks<C extends CheckFacts>(checks: readonly C[], only: readonly string[] = []): readonly C[] {
  const fits = (id: string, name: string): boolean => id === name || id.startsWith(`${name}.`);
  const unknown = only.find((name) => !checks.some(({ id }) => fits(id, name)));
  if (unknown !== undefined) throw new Error(`There is no check ${unknown}. There are: ${checks.map(({ id }) => id).join(', ')}.`);
  return only.length === 0 ? checks : checks.filter(({ id }) => only.some((name) => fits(id, name)));
}

/** Runs the checks; the results come in their order. */
export async function runChecks<Stage>(checks: readonly Check<Stage>[], options: RunOptions<Stage>): Promise<readonly CheckResult[]> {
  const picked = pickChecks(checks, options.only);
  const results = new Map<string, CheckResult>();
  const waiting = [...picked];
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined && options.signal?.aborted !== true; check = waiting.shift()) {
      const result = await runCheck(check, options);
      results.set(check.id, result);
      options.onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: options.jobs ?? 1 }, work));
  return picked.flatMap(({ id }) => results.get(id) ?? []);
}

async function runCheck<Stage>(check: Check<Stage>, { stage: open }: RunOptions<Stage>): Promise<CheckResult> {
  const { id, says, section } = check;
  const since = performance.now();
  const end = (outcome: CheckResult['outcome'], why?: string): CheckResult => {
    const ms = Math.round(performance.now() - since);
    return { id, says, section, outcome, why, ms };
  };
  try {
    const { stage, close } = await open(check);
    try {
      await check.run(stage);
    } finally {
      await close();
    }
    return end('passed');
  } catch (error) {
    if (error instanceof Skip) return end('skipped', error.message);
    if (error instanceof Failure) return end('failed', error.message);
    return end('failed', error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}
