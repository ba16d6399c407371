/** Fewer seeds say nothing: what Node keeps grows at first, and is let go in waves. */
const LEAST_SEEDS = 60;
/** More than this a seed, in bytes, is a leak. */
const LEAK_BYTES = 2_000_000;
/** The least of so many in a row stands for them: the others may be before a collection. */
const WAVE = 10;

/** The memory of the services of one lane, seed after seed, each for as long as it is the same process. */
export class MemoryGrowth {
  private readonly lives = new Map<string, { readonly pid: number; readonly sizes: number[] }>();

  /** Takes what a process has at the end of a seed. Answers by how many bytes a seed it grows, where that is too much; then it begins anew. */
  add(name: string, pid: number, bytes: number): number | undefined {
    const known = this.lives.get(name);
    const life = known?.pid === pid ? known : { pid, sizes: [] };
    this.lives.set(name, life);
    life.sizes.push(bytes);
    if (life.sizes.length < LEAST_SEEDS) return undefined;
    const later = life.sizes.slice(Math.floor(life.sizes.length / 2));
    const growth = (Math.min(...later.slice(-WAVE)) - Math.min(...later.slice(0, WAVE))) / (later.length - WAVE);
    if (growth <= LEAK_BYTES) return undefined;
    this.lives.delete(name);
    return growth;
  }
}
