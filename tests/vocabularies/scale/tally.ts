import type { Trial } from './run-scale.js';

export interface Tally {
  readonly count: number;
  readonly misplaced: number;
  /** The share that was applied, and right. */
  readonly accepted: number;
}

/** What came of some trials. */
export const tallyOf = (trials: readonly Trial[]): Tally => {
  const of = (verdict: Trial['verdict']): number => trials.filter((trial) => trial.verdict === verdict).length;
  return {
    count: trials.length,
    misplaced: of('misplaced') + of('no hint'),
    accepted: trials.length === 0 ? 0 : of('right') / trials.length,
  };
};

/** A table in Markdown, by what a trial is called. */
export function tableOf(trials: readonly Trial[], called: (trial: Trial) => string): string {
  const names = [...new Set(trials.map(called))].toSorted();
  const rows = names.map((name) => {
    const { count, misplaced, accepted } = tallyOf(trials.filter((trial) => called(trial) === name));
    return `| ${name} | ${String(count)} | ${(100 * accepted).toFixed(1)} % | ${String(misplaced)} |`;
  });
  return ['| | edits | applied | misplaced |', '|---|---|---|---|', ...rows].join('\n');
}
