import type { CheckResult } from './run-checks.js';

const MARKS = { passed: '✓', failed: '✗', skipped: '–' } as const;

/** One check as a line; a failed or skipped one has its reason below. */
export function reportLine({ id, says, section, outcome, why, ms }: CheckResult): string {
  const line = `${MARKS[outcome]} ${id.padEnd(28)} ${says}`;
  if (outcome === 'passed') return line;
  const place = outcome === 'failed' ? ` (docs/protocol/${section}, ${String(ms)} ms)` : '';
  return `${line}\n    ${outcome}: ${(why ?? '').replaceAll('\n', '\n    ')}${place}`;
}

/** `41 passed, 0 failed, 2 skipped`. */
export function reportSum(results: readonly CheckResult[]): string {
  const count = (outcome: CheckResult['outcome']): string =>
    `${String(results.filter((each) => each.outcome === outcome).length)} ${outcome}`;
  return [count('passed'), count('failed'), count('skipped')].join(', ');
}
