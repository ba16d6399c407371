import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { writeReport } from '../report/index.js';
import type { SeedResult } from './lane.js';
import { cutShortLine, failureLines, seedLine, sumLine, violationLines } from './print-run.js';
import { productParts } from './product-parts.js';
import { runSeeds } from './run-seeds.js';
import { toReport } from './to-report.js';

/** Systems side by side: one keeps a core busy half of the time or, on a slow machine, all of it, and what is late is judged. */
const LANES = Math.min(4, availableParallelism());
/** How many seeds run where nothing is said. */
const SEEDS = 50;

/** The options of `codelab chaos`. */
export interface ChaosOptions {
  readonly seeds?: number;
  readonly minutes?: number;
  readonly seed?: number;
  /** Numbers of faults of the one seed; the others are left out. */
  readonly faults?: readonly number[];
  /** A folder for the report, and for the recordings of what failed. */
  readonly report?: string;
  /** Systems side by side. Default: one a core, at most 4. */
  readonly lanes?: number;
  /** Only what breaks again when its schedule is run again makes the exit code 1. */
  readonly repeated?: boolean;
  /** An installation of another version, which `roll` moves services to. */
  readonly other?: string;
}

/** The streams of the process, and what ends a run before its time. */
export interface ChaosIo {
  readonly stdout: { write(text: string): unknown };
  /** As it was typed, for the report. */
  readonly command: string;
  readonly signal: AbortSignal;
  /** What client processes find programs by: `PATH`, `HOME`. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
}

/** At once: a run of hours may be ended before its time. */
function keepRecording(folder: string, { seed, events }: SeedResult): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `seed-${String(seed)}.jsonl`), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
}

/** Breaks the product by seeds and judges it. Returns the exit code: 1 if a promise was broken, or nothing was run. */
export async function runChaos(options: ChaosOptions, { stdout, command, signal, env }: ChaosIo): Promise<number> {
  const startedAt = new Date();
  const isOne = options.seed !== undefined && options.seeds === undefined && options.minutes === undefined;
  const count = options.seeds ?? (isOne ? 1 : options.minutes === undefined ? SEEDS : undefined);
  const print = (line: string): void => void stdout.write(`${line}\n`);
  const parts = productParts({ env });
  const summary = await runSeeds({
    parts,
    first: options.seed ?? 1,
    lanes: Math.min(options.lanes ?? LANES, count ?? LANES),
    signal,
    ...{ count, minutes: options.minutes, only: options.faults, otherRoot: options.other, repeatsAll: options.repeated },
    onResult: (result) => {
      print(seedLine(result));
      violationLines(result).forEach(print); // a long run is looked at while it goes
      if (options.report !== undefined && result.violations.length > 0) keepRecording(options.report, result);
    },
    onFailure: (failure) => failureLines(failure).forEach(print),
  }).finally(() => parts.close());
  if (options.report !== undefined) {
    print(`report: ${await writeReport(options.report, await toReport(summary, command, startedAt))}`);
  }
  const once = summary.failures.filter(({ shrunk }) => shrunk?.isRepeated === false);
  if (once.length > 0) print(`broke a promise once, and not again: seed ${once.map(({ result }) => String(result.seed)).join(', ')}`);
  const cutShort = cutShortLine(summary, count);
  if (cutShort !== undefined) print(cutShort);
  print(sumLine(summary));
  const counted = summary.failures.length - (options.repeated === true ? once.length : 0);
  return counted > 0 || summary.results.length === 0 ? 1 : 0;
}
