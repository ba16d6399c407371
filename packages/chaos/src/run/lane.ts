import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultScene } from '../faults/fault.js';
import { drawPlan } from '../plan/draw-plan.js';
import type { Plan } from '../plan/plan.js';
import type { ChaosEvent } from '../recording/chaos-event.js';
import { inTime } from '../in-time.js';
import { readRecording } from '../recording/read-recording.js';
import { openRecorder, type Recorder } from '../recording/recorder.js';
import { untilWhole } from '../redis/agreement.js';
import type { StoreKind } from '../redis/store.js';
import { ChaosSystem, USUAL_SHAPE } from '../system/chaos-system.js';
import { MemoryGrowth } from './memory-growth.js';
import { mendSystem } from './mend-system.js';
import type { RunParts, RunUpstream, RunViolation, RunWorkload } from './run-parts.js';
import { storm } from './storm.js';
import { countHeld, takeCensus, untilLetGo } from './take-census.js';
import { watchMachine } from './watch-machine.js';
import { untilReady, watchServices } from './watch-services.js';

/** How long everything may take to be ready again after the last fault is healed. */
const READY_MS = 30_000;
/** How long turns may take to end after that. */
const SETTLE_MS = 60_000;

export interface LaneOptions {
  readonly parts: RunParts;
  readonly store: StoreKind;
  /** The installation whose built services run. Default: this one. */
  readonly root?: string;
  /** The one that `roll` moves services to. Default: the same. */
  readonly otherRoot?: string;
}

/** One seed, run and judged. */
export interface SeedResult {
  readonly seed: number;
  readonly plan: Plan;
  readonly events: readonly ChaosEvent[];
  readonly violations: readonly RunViolation[];
  readonly ms: number;
}

/** A system that is kept between seeds: between them all is mended, and the sessions of one seed are gone before the next. */
export class Lane {
  private recorder: Recorder | undefined;
  private system: ChaosSystem | undefined;
  private upstream: RunUpstream | undefined;
  private readonly memory = new MemoryGrowth();

  private constructor(
    private readonly options: LaneOptions,
    private readonly folder: string,
  ) {}

  static async open(options: LaneOptions): Promise<Lane> {
    const lane = new Lane(options, await mkdtemp(join(tmpdir(), 'codelab-chaos-')));
    try {
      await lane.boot();
    } catch (error) {
      await lane.close();
      throw error;
    }
    return lane;
  }

  get store(): StoreKind {
    return this.options.store;
  }

  /** Runs the schedule of a seed, or a part of it, and judges what happened. */
  async run(seedOrPlan: number | Plan, signal = new AbortController().signal): Promise<SeedResult> {
    const plan = typeof seedOrPlan === 'number' ? drawPlan(seedOrPlan) : seedOrPlan;
    const began = performance.now();
    if (!(await this.isAsNew())) await this.boot();
    const folder = join(this.folder, `seed-${String(plan.seed)}`);
    await mkdir(folder, { recursive: true });
    const recorder = openRecorder(join(folder, 'events.jsonl'));
    this.recorder = recorder;
    this.system!.recordTo(recorder);
    let trouble: RunViolation | undefined;
    try {
      trouble = await this.play(plan, recorder, folder, signal);
    } finally {
      recorder.close();
      this.recorder = undefined;
    }
    const events = await readRecording(recorder.path);
    await rm(folder, { recursive: true, force: true });
    const judged = this.options.parts.judge(events);
    return {
      seed: plan.seed,
      plan,
      events,
      violations: [...(trouble ? [trouble] : []), ...judged, ...this.growth(events)],
      ms: performance.now() - began,
    };
  }

  async close(): Promise<void> {
    await this.shutDown();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async play(plan: Plan, recorder: Recorder, folder: string, signal: AbortSignal): Promise<RunViolation | undefined> {
    const { system, upstream } = this;
    const { parts } = this.options;
    if (system === undefined || upstream === undefined) throw new Error('The lane is closed.');
    recorder.record({ kind: 'phase', what: 'calm' });
    await takeCensus(system);
    const held = await countHeld(system);
    const stopWatching = watchServices(system);
    const over = new AbortController();
    let workload: RunWorkload | undefined;
    const processes = [...system.services, ...system.store.servers].map(({ process }) => process);
    const stopBeat = watchMachine(recorder, () => [...processes, ...(workload?.clients ?? [])].map(({ pid }) => pid));
    let trouble: RunViolation | undefined;
    const fail = (promise: string, error: unknown): void => {
      trouble ??= { promise, text: error instanceof Error ? error.message : String(error), at: recorder.clock.at(), events: [] };
    };
    try {
      const { restUrl, linkFor } = system;
      const started = await parts.startWorkload({ seed: plan.seed, system: { restUrl, linkFor }, recorder, folder });
      workload = started;
      const scene: FaultScene = {
        system,
        clients: () => started.clients,
        breakUpstream: (fault) => upstream.faults.next(fault),
        storeLost: (how, since) => recorder.record({ kind: 'store-lost', how, since }),
        nowMs: () => recorder.clock.at(),
      };
      await storm(plan, scene, recorder, signal);
      await untilReady(system, READY_MS).catch((error: unknown) => fail('heals', error));
      await Promise.race([started.settled(SETTLE_MS), aborted(signal, over.signal)]);
      upstream.faults.clear();
    } finally {
      over.abort();
      await workload?.stop();
      stopBeat();
      await stopWatching();
      await untilLetGo(system, held);
      await takeCensus(system).catch((error: unknown) => recorder.record({ kind: 'note', text: `no census: ${String(error)}` }));
      recorder.record({ kind: 'phase', what: 'over' });
      await system.closeLinks();
    }
    return trouble;
  }

  /** Services that have grown from seed to seed: what one seed leaves behind is little, and judged by nobody else. */
  private growth(events: readonly ChaosEvent[]): readonly RunViolation[] {
    const census = events.findLast((event) => event.kind === 'census');
    if (census === undefined) return [];
    return (this.system?.services ?? []).flatMap(({ name, process: { pid } }) => {
      const bytes = census.rss[name] ?? 0;
      const growth = bytes === 0 ? undefined : this.memory.add(name, pid, bytes);
      if (growth === undefined) return [];
      const text = `${name} (process ${String(pid)}) grows by ${(growth / 1e6).toFixed(1)} MB a seed`;
      return [{ promise: 'memory-grows', text, at: census.at, events: [events.indexOf(census)] }];
    });
  }

  private async isAsNew(): Promise<boolean> {
    if (this.system === undefined) return false;
    this.system.recordTo({ record: () => undefined });
    try {
      await inTime(mendSystem(this.system), READY_MS);
      if (!(await untilWhole(this.system.store))) return false;
      await untilReady(this.system, READY_MS);
      return true;
    } catch {
      return false; // it is started anew
    }
  }

  private async boot(): Promise<void> {
    await this.shutDown();
    const { parts, store, root, otherRoot } = this.options;
    this.upstream = await parts.startUpstream((event) => this.recorder?.record(event));
    const env = {
      CODELAB_TOKENS: parts.owners.map(({ token, tenant, sub }) => `${token}=${tenant}/${sub}`).join(','),
      OPENAI_BASE_URL: this.upstream.baseUrl,
      OPENAI_API_KEY: parts.upstreamKey,
      ANTHROPIC_BASE_URL: this.upstream.anthropicBaseUrl,
      ANTHROPIC_API_KEY: parts.upstreamKey,
      CODELAB_MODEL: 'gpt-test',
    };
    const folder = join(this.folder, 'system');
    this.system = await ChaosSystem.start({ shape: { ...USUAL_SHAPE, store }, folder, env, root, otherRoot });
    await untilReady(this.system, READY_MS);
  }

  private async shutDown(): Promise<void> {
    await this.system?.stop();
    await this.upstream?.close();
    this.system = undefined;
    this.upstream = undefined;
  }
}

/** Resolves when `signal` aborts; waits for that until `over` does. */
const aborted = (signal: AbortSignal, over: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, signal: over });
  });
