import { describeFault } from '../plan/plan.js';
import type { ReportData } from '../report/index.js';
import { describeMachine, presentCommit } from '../report/machine.js';
import { ownRoot } from '../system/installation.js';
import type { RunSummary } from './run-seeds.js';

/** A run as the report shows it. */
export async function toReport(summary: RunSummary, command: string, startedAt: Date): Promise<ReportData> {
  const { results, failures, latencies, sample, ms } = summary;
  return {
    ...{ command, commit: await presentCommit(ownRoot), startedAt, tookMs: ms, machine: describeMachine() },
    seeds: [...results]
      .sort((a, b) => a.seed - b.seed)
      .map(({ seed, ms: tookMs, plan, violations }) => ({ seed, tookMs, violations, faults: plan.faults.map(({ name }) => name) })),
    latency: [...latencies].map(([name, samples]) => ({ name, samples, note: 'as clients saw it, faults included' })),
    sample: sample && { seed: sample.seed, events: sample.events },
    failures: failures.map(({ result: { seed, events, violations }, shrunk, repeat }) => ({
      ...{ seed, events, violations, repeat },
      shrunk: shrunk?.isRepeated === true ? shrunk.plan.faults.map(describeFault) : undefined,
    })),
  };
}
