import { readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { memoryOf, type Memory } from '../measure/idle-connections.js';
import { cpuDuring } from '../measure/process-cost.js';
import { startProcess, type BenchProcess } from '../start-processes.js';
import { Fleet } from './fleet.js';
import type { StoreKind } from './store.js';
import { storeUsage, usageBetween, type StoreUsage } from './store-usage.js';

/** What a part of the run is given, and says what it found. */
export interface PartContext {
  readonly store: StoreKind;
  readonly minutes: number;
  readonly say: (text: string) => void;
}

export interface StageOptions {
  readonly store: StoreKind;
  readonly owners?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly model?: { readonly latencyMs?: number; readonly steps?: number };
}

/** Where the parts play: a fleet, and a model that takes its time. */
export class Stage {
  private constructor(
    readonly fleet: Fleet,
    private readonly model: BenchProcess,
  ) {}

  static async start({ store, owners, env, model: { latencyMs = 0, steps = 4 } = {} }: StageOptions): Promise<Stage> {
    const model = await startProcess('scale/slow-model.ts', { SCALE_MODEL_MS: String(latencyMs), SCALE_MODEL_STEPS: String(steps) });
    const upstream = { OPENAI_BASE_URL: `http://127.0.0.1:${String(model.port)}/v1`, OPENAI_API_KEY: 'none', CODELAB_MODEL: 'slow' };
    return new Stage(await Fleet.start({ store, owners, env: { ...upstream, ...env } }), model);
  }

  /** One of each. */
  async addOneOfEach(): Promise<void> {
    await Promise.all((['gateway', 'agent-runtime', 'llm-proxy'] as const).map((kind) => this.fleet.add(kind)));
  }

  ws(n: number): string {
    const gateways = this.fleet.of('gateway');
    return `ws://127.0.0.1:${String(gateways[n % gateways.length]!.port)}/ws`;
  }

  /** `hold`, `release` or `waiting`: how many model requests wait. */
  async tellModel(what: 'hold' | 'release' | 'waiting'): Promise<number> {
    return Number(await (await fetch(`http://127.0.0.1:${String(this.model.port)}/${what}`)).text());
  }

  /** Bytes of each service once it is idle and the garbage is collected, in the order of `services`. */
  memory(): Promise<readonly Memory[]> {
    return Promise.all(this.fleet.services.map(({ pid }) => memoryOf(pid, this.fleet.folder)));
  }

  usage(): Promise<StoreUsage> {
    return storeUsage(this.fleet.store.nodes);
  }

  /** What services and Redis do while something happens; services by their kind, in milliseconds of CPU time. */
  async during<T>(
    run: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly cpu: Readonly<Record<string, number>>; readonly redis: StoreUsage; readonly ms: number }> {
    const before = await this.usage();
    const began = performance.now();
    const pids = Object.fromEntries(this.fleet.services.map(({ name, pid }) => [name, pid]));
    const { value, cpu: byName } = await cpuDuring(pids, run);
    const ms = performance.now() - began;
    const redis = usageBetween(before, await this.usage());
    const cpu: Record<string, number> = { redis: redis.cpuMs };
    for (const { name, kind } of this.fleet.services) cpu[kind] = (cpu[kind] ?? 0) + (byName[name] ?? 0);
    return { value, cpu, redis, ms };
  }

  async stop(): Promise<void> {
    await this.fleet.stop();
    await this.model.stop();
  }
}

/** Runs with a stage of its own, which ends whatever happens. */
export async function onStage<T>(options: StageOptions, run: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = await Stage.start(options);
  try {
    return await run(stage);
  } finally {
    await stage.stop();
  }
}

/** Open files of a process: sockets among them. */
export const openFiles = async (pid: number): Promise<number> => (await readdir(`/proc/${String(pid)}/fd`)).length;

/** Waits until something is so. */
export async function until(what: string, holds: () => Promise<boolean> | boolean, withinMs = 120_000): Promise<void> {
  for (const deadline = performance.now() + withinMs; !(await holds()); await pause(100)) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${String(withinMs / 1_000)} s`);
  }
}

export const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
export const mib = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
