import type { MutantLane } from './mutant-lane.js';

/**
 * The product without a fault, beside the mutants: what it does in a seed, too, says nothing of a mutant. Each seed is run once, one at a
 * time, in one system that is started when it is first asked.
 */
export class SoundProduct {
  private lane: Promise<MutantLane> | undefined;
  private readonly broken = new Map<number, Promise<ReadonlySet<string>>>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly open: () => Promise<MutantLane>) {}

  /** The promises that the product itself breaks in a seed. */
  breaks(seed: number): Promise<ReadonlySet<string>> {
    const known = this.broken.get(seed) ?? this.run(seed);
    this.broken.set(seed, known);
    return known;
  }

  async close(): Promise<void> {
    await this.last.catch(() => undefined);
    await (await this.lane)?.close();
  }

  private run(seed: number): Promise<ReadonlySet<string>> {
    this.lane ??= this.open();
    const { lane } = this;
    const judged = this.last.then(async () => new Set((await (await lane).run(seed)).violations.map(({ promise }) => promise)));
    this.last = judged.catch(() => undefined);
    return judged;
  }
}
