import { describeFault } from '../plan/plan.js';
import type { SeedResult } from './lane.js';
import type { RunSummary, SeedFailure } from './run-seeds.js';

/** Violations that are printed of one seed; the report has all. */
const MOST_VIOLATIONS = 8;

/** A line for a seed that is over. */
export function seedLine({ seed, plan, violations, ms }: SeedResult): string {
  const said = violations.length === 0 ? 'ok' : `${String(violations.length)} violations`;
  const faults = plan.faults.map(({ name }) => name).join(', ');
  return `seed ${String(seed).padEnd(6)} ${said.padEnd(14)} ${(ms / 1000).toFixed(1).padStart(5)} s  ${plan.store}: ${faults === '' ? 'no faults' : faults}`;
}

/** What a seed broke. */
export function violationLines({ violations }: Pick<SeedResult, 'violations'>): readonly string[] {
  const more = violations.length - MOST_VIOLATIONS;
  return [
    ...violations
      .slice(0, MOST_VIOLATIONS)
      .map(
        ({ promise, text, at, events }) =>
          `  ${promise} at ${at.toFixed(0)} ms: ${text}${events.length === 0 ? '' : ` (events ${events.slice(0, 12).join(' ')})`}`,
      ),
    ...(more > 0 ? [`  … and ${String(more)} more`] : []),
  ];
}

/** What is to know about a seed that broke a promise, and how it is seen again. */
export function failureLines({ result: { seed, violations, plan }, shrunk, repeat }: SeedFailure): readonly string[] {
  const schedule = (shrunk?.isRepeated === true ? shrunk.plan : plan).faults.map((fault) => `    ${describeFault(fault)}`);
  return [
    '',
    `seed ${String(seed)} broke ${[...new Set(violations.map(({ promise }) => promise))].join(', ')}:`,
    ...violationLines({ violations }),
    shrunk === undefined
      ? '  its schedule:'
      : shrunk.isRepeated
        ? `  the shortest schedule that still fails (${String(shrunk.runs)} runs):`
        : `  its schedule, which did not fail again in ${String(shrunk.runs)} runs:`,
    ...(schedule.length === 0 ? ['    no faults'] : schedule),
    `  again: ${repeat}`,
  ];
}

/** What is to say of a run that ended before all its schedules had begun; undefined of a whole one. */
export const cutShortLine = ({ results }: Pick<RunSummary, 'results'>, count: number | undefined): string | undefined =>
  count === undefined || results.length >= count
    ? undefined
    : `the time was over: ${String(results.length)} of ${String(count)} schedules were run`;

/** The last line of a run. */
export const sumLine = ({ results }: Pick<RunSummary, 'results'>): string => {
  const failed = results.filter(({ violations }) => violations.length > 0).length;
  return `${String(results.length - failed)} passed, ${String(failed)} failed`;
};
