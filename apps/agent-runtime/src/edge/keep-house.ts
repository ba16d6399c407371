import type { Janitor, JanitorReport } from '@codelab/bus';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { EventLog } from '../core/session/runtime-ports.js';

/** Keys that a run looks at: some 50 ms of Redis in pieces of a millisecond. */
const KEYS_OF_A_RUN = 10_000;
/** What was written in the last minute is left alone. */
const GRACE_MS = 60_000;

/** What it did that is counted by name, and logged where there was any. */
const DEEDS = [
  'cancelled',
  'removed',
  'orphans',
  'texts',
  'names',
  'consumers',
  'bounded',
  'frozen',
  'woken',
  'listed',
  'unknown',
] as const;

/** How the janitor runs in this process, and who hears of it. */
export interface HouseOptions {
  readonly everyMs: number;
  readonly freezeAfterMs?: number;
  readonly metrics: Registry;
  readonly log: EventLog;
}

/** Runs the janitor where the cluster's schedule says that it is this process' turn. Returns how to stop. `everyMs` 0: never. */
export async function keepHouse(janitor: Janitor, { metrics, log, ...pace }: HouseOptions): Promise<() => Promise<void>> {
  const { everyMs } = pace;
  if (everyMs === 0) return () => Promise.resolve();
  const registers = [metrics];
  const help = 'What the janitor did in this process: turns cancelled, sessions removed, keys, texts and names of what is gone, and more.';
  const deeds = new Counter({ name: 'codelab_runtime_janitor_total', help, labelNames: ['what'], registers });
  const looked = new Counter({
    name: 'codelab_runtime_janitor_keys_total',
    help: 'Keys that the janitor looked at in this process.',
    registers,
  });
  const seconds = new Gauge({ name: 'codelab_runtime_janitor_seconds', help: 'How long its last run took in this process.', registers });
  for (const what of DEEDS) deeds.inc({ what }, 0);
  const tell = (report: JanitorReport, ms: number): void => {
    looked.inc(report.looked);
    seconds.set(ms / 1_000);
    const done = Object.fromEntries(DEEDS.flatMap((what) => (report[what] === 0 ? [] : [[what, report[what]] as const])));
    for (const [what, count] of Object.entries(done)) deeds.inc({ what }, count);
    if (Object.keys(done).length > 0) log.info({ event: 'janitor.ran', ...done, keys: report.looked, ms: Math.round(ms) });
  };
  const runs = await janitor.schedule({ ...pace, keys: KEYS_OF_A_RUN, graceMs: Math.min(GRACE_MS, everyMs) }, tell);
  return () => runs.close();
}
