import { percentile } from '../measure/percentile.js';

/** Two ways to the same end. */
export interface Pair {
  readonly name: string;
  readonly ours: () => Promise<unknown>;
  readonly bare: () => Promise<unknown>;
}

export interface Compared {
  readonly name: string;
  /** Medians, in milliseconds. */
  readonly ours: number;
  readonly bare: number;
  /** What the process that runs ours needed at most meanwhile, in bytes. */
  readonly peakBytes: number;
}

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await run();
  return performance.now() - started;
};

/** Runs both ways in turn, after one round that doesn't count, so that the machine is in both figures. */
export async function interleave({ name, ours, bare }: Pair, rounds: number): Promise<Compared> {
  const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  let peakBytes = 0;
  const watch = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss())), 5);
  for (let round = 0; round <= rounds; round += 1) {
    const [one, other] = [await timed(ours), await timed(bare)];
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
    if (round === 0) continue;
    times.ours.push(one);
    times.bare.push(other);
  }
  clearInterval(watch);
  return { name, ours: percentile(times.ours, 0.5), bare: percentile(times.bare, 0.5), peakBytes };
}
