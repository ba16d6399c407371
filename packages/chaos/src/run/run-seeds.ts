import { drawPlan } from '../plan/draw-plan.js';
import { repeatCommand, type Plan } from '../plan/plan.js';
import type { StoreKind } from '../redis/store.js';
import { latenciesOf } from './latencies.js';
import { Lane, type LaneOptions, type SeedResult } from './lane.js';
import { shrink, type Shrunk } from './shrink.js';

/** How much time shrinking one failure may take. */
const SHRINK_MS = 120_000;
/** Those that take longest to start begin first, so that no lane waits for them at the end. */
const FIRST_STORES: readonly StoreKind[] = ['cluster', 'sentinel'];
/** Failures that are shrunk; of the others only the seed is told, and with `repeatsAll` whether they fail again. */
const MOST_SHRUNK = 5;

export interface RunOptions extends Omit<LaneOptions, 'store'> {
  /** The first seed. */
  readonly first: number;
  /** How many; undefined: until `minutes` are over. */
  readonly count?: number;
  readonly minutes?: number;
  /** Only these faults of the schedule. */
  readonly only?: readonly number[];
  /** Runs every schedule that failed again, until one of them has: it counts only then. Default: those that are shrunk. */
  readonly repeatsAll?: boolean;
  /** Systems side by side. */
  readonly lanes: number;
  readonly signal: AbortSignal;
  onResult?(result: SeedResult): void;
  onFailure?(failure: SeedFailure): void;
}

/** A seed that broke a promise. */
export interface SeedFailure {
  readonly result: SeedResult;
  /** Undefined where it was not tried. */
  readonly shrunk?: Shrunk;
  /** Runs it again, as short as it was made. */
  readonly repeat: string;
}

/** What came of all seeds. */
export interface RunSummary {
  readonly results: readonly Omit<SeedResult, 'events'>[];
  /** Events of the first seed that passed, to show what a run looks like. */
  readonly sample?: SeedResult;
  readonly failures: readonly SeedFailure[];
  /** How long clients waited, in all seeds together: see `latenciesOf`. */
  readonly latencies: ReadonlyMap<string, readonly number[]>;
  readonly ms: number;
}

/** Runs seeds on several systems side by side, then shrinks what failed. */
export async function runSeeds(options: RunOptions): Promise<RunSummary> {
  const began = performance.now();
  const isLate = (): boolean =>
    options.signal.aborted || (options.minutes !== undefined && performance.now() - began > options.minutes * 60_000);
  const seeds = new SeedQueue(options.first, options.count);
  const results: Omit<SeedResult, 'events'>[] = [];
  const failed: SeedResult[] = [];
  const latencies = new Map<string, number[]>();
  let sample: SeedResult | undefined;
  const work = async (first: StoreKind): Promise<void> => {
    let lane: Lane | undefined;
    try {
      while (!isLate()) {
        const plan = seeds.take(lane?.store ?? first, options.only);
        if (plan === undefined) return;
        let result: SeedResult;
        try {
          if (lane?.store !== plan.store) {
            await lane?.close();
            lane = undefined; // should the next one not start, this one is closed already
            lane = await Lane.open({ ...options, store: plan.store });
          }
          result = await lane.run(plan, options.signal);
        } catch (error) {
          await lane?.close();
          lane = undefined;
          result = neverRan(plan, error);
        }
        if (options.signal.aborted) return;
        const { events, ...rest } = result;
        for (const [name, samples] of latenciesOf(events)) latencies.set(name, (latencies.get(name) ?? []).concat(samples));
        results.push(rest);
        if (result.violations.length > 0) failed.push(result);
        else sample ??= result;
        options.onResult?.(result);
      }
    } finally {
      await lane?.close();
    }
  };
  await Promise.all(Array.from({ length: options.lanes }, (_, index) => work(FIRST_STORES[index] ?? 'single')));
  const failures: SeedFailure[] = [];
  for (const [index, result] of failed.entries()) {
    const isShrunk = index < MOST_SHRUNK;
    const isRepeated = isShrunk || (options.repeatsAll === true && !failures.some(({ shrunk }) => shrunk?.isRepeated));
    const failure = await toFailure(result, options, { isShrunk, isRepeated: isRepeated && !options.signal.aborted });
    failures.push(failure);
    options.onFailure?.(failure);
  }
  return { results, failures, latencies, ms: performance.now() - began, sample };
}

/** A system that doesn't start, or doesn't end a run, breaks a promise: the other seeds run all the same. */
const neverRan = (plan: Plan, error: unknown): SeedResult => ({
  ...{ seed: plan.seed, plan, events: [], ms: 0 },
  violations: [{ promise: 'starts', text: error instanceof Error ? error.message : String(error), at: 0, events: [] }],
});

/** Seeds in their order, those of the system at hand first: another kind of store is another system. */
class SeedQueue {
  private readonly waiting: number[] = [];
  private given = 0;

  constructor(
    private readonly first: number,
    private readonly count: number | undefined,
  ) {}

  take(store: StoreKind, only: readonly number[] | undefined): Plan | undefined {
    const ahead = this.count ?? this.given + 100;
    while (this.given < ahead && this.waiting.length < 100) this.waiting.push(this.first + this.given++);
    if (this.waiting.length === 0) return undefined;
    const plans = this.waiting.map((seed) => drawPlan(seed));
    const at = Math.max(
      0,
      plans.findIndex((plan) => plan.store === store),
    );
    this.waiting.splice(at, 1);
    const plan = plans[at]!;
    return only === undefined ? plan : { ...plan, faults: plan.faults.filter(({ id }) => only.includes(id)) };
  }
}

async function toFailure(
  result: SeedResult,
  options: RunOptions,
  { isShrunk, isRepeated }: { readonly isShrunk: boolean; readonly isRepeated: boolean },
): Promise<SeedFailure> {
  const all = drawPlan(result.seed);
  if (!isRepeated) return { result, repeat: repeatCommand(result.plan, all, options.otherRoot) };
  const promises = new Set(result.violations.map(({ promise }) => promise));
  const began = performance.now();
  const lane = await Lane.open({ ...options, store: result.plan.store });
  try {
    const fails = async (plan: Plan): Promise<boolean> =>
      (await lane.run(plan, options.signal)).violations.some(({ promise }) => promises.has(promise));
    const isLate = (): boolean => !isShrunk || options.signal.aborted || performance.now() - began > SHRINK_MS;
    const shrunk = await shrink(result.plan, fails, isLate);
    return { result, shrunk, repeat: repeatCommand(shrunk.plan, all, options.otherRoot) };
  } finally {
    await lane.close();
  }
}
