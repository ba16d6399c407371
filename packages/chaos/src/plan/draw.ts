/** Numbers that look random and are the same for the same seed: everything that a schedule leaves to chance is drawn here. */
export interface Draw {
  /** An integer from `least` to `most`, both included. */
  integer(least: number, most: number): number;
  /** True in so many of 100 cases. */
  chance(percent: number): boolean;
  /** One of these; throws where there is none. */
  one<T>(of: readonly T[]): T;
  /** So many of these, each at most once, in their order. */
  some<T>(of: readonly T[], count: number): readonly T[];
  /** Another source, which draws the same whatever is drawn from this one later. */
  fork(name: string): Draw;
}

/** The source of a seed (mulberry32). The same name and seed draw the same numbers on every machine. */
export function drawFrom(seed: number, name = ''): Draw {
  let state = hash(`${String(seed)}/${name}`);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const one = <T>(of: readonly T[]): T => {
    if (of.length === 0) throw new Error('Nothing to draw from.');
    return of[integer(0, of.length - 1)]!;
  };
  return {
    integer,
    chance: (percent) => next() * 100 < percent,
    one,
    some: (of, count) => {
      const left = of.map((_, index) => index);
      const taken = Array.from({ length: Math.min(count, of.length) }, () => left.splice(integer(0, left.length - 1), 1)[0]!);
      return taken.sort((a, b) => a - b).map((index) => of[index]!);
    },
    fork: (inner) => drawFrom(seed, `${name}/${inner}`),
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value;
}
