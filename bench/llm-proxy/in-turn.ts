import type { Subject } from './subjects.js';

/** What was measured of each subject, round by round. */
export type Samples<T> = ReadonlyMap<Subject, readonly T[]>;

/** Measures each subject in each round, so that the machine is in all figures; the first of a round is another one each time. */
export async function inTurn<T>(
  subjects: readonly Subject[],
  rounds: number,
  measure: (subject: Subject) => Promise<T>,
): Promise<Samples<T>> {
  const samples = new Map<Subject, T[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < rounds; round += 1) {
    const order = subjects.map((_, index) => subjects[(index + round) % subjects.length]!);
    for (const subject of order) samples.get(subject)?.push(await measure(subject));
  }
  return samples;
}
