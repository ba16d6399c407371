import type { Mutant } from './mutant.js';

const DAY_MS = 24 * 60 * 60_000;

/** Mutants whose names have `text`, or one of several with commas between them, in them. Throws where none has. */
export function findMutants(mutants: readonly Mutant[], text: string): readonly Mutant[] {
  const found = mutants.filter(({ name }) => text.split(',').some((part) => part !== '' && name.includes(part)));
  if (found.length === 0) throw new Error(`No planted fault is called ${text}. There are: ${mutants.map(({ name }) => name).join(', ')}.`);
  return found;
}

/** The next `count` of them each day, so that all have had their turn after some days. */
export function mutantsOfDay(mutants: readonly Mutant[], count: number, nowMs: number): readonly Mutant[] {
  const first = Math.floor(nowMs / DAY_MS) * count;
  return Array.from({ length: Math.min(count, mutants.length) }, (_, at) => mutants[(first + at) % mutants.length]!);
}
