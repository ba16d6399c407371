import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectRedis, startScriptedProvider, type Script } from '@codelab/testkit';
import type { Redis } from 'ioredis';
import { startSystem, type System } from '../../tests/e2e/start-system.js';
import { memoryOf, type Memory } from '../measure/idle-connections.js';
import { driveSession, type Place } from './drive-session.js';
import { measureKeys, type KindUse } from './measure-keys.js';

/** Sessions that are driven side by side. */
const AT_ONCE = 50;

export interface StageOptions {
  /** What the model answers. */
  readonly script: Script;
  /** Settings of the services. */
  readonly env: Readonly<Record<string, string>>;
}

/** Where the parts play: one of each service, a Redis of its own, and a model by a script. */
export class Stage {
  private constructor(
    private readonly system: System,
    readonly redis: Redis,
    private readonly folder: string,
    private readonly closeProvider: () => Promise<void>,
  ) {}

  static async start({ script, env }: StageOptions): Promise<Stage> {
    const provider = await startScriptedProvider({ script });
    const folder = await mkdtemp(join(tmpdir(), 'codelab-memory-'));
    const preload = `--require ${fileURLToPath(new URL('../measure/report-memory.cjs', import.meta.url))}`;
    const model = { OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: 'bench', CODELAB_MODEL: 'scripted' };
    const common = { LOG_LEVEL: 'error', RUNTIME_LINGER_MS: '500', NODE_OPTIONS: preload, BENCH_MEMORY_DIR: folder };
    const system = await startSystem({ env: { ...model, ...common, ...env } });
    return new Stage(system, connectRedis(system.redis.url), folder, () => provider.close());
  }

  get redisUrl(): string {
    return this.system.redis.url;
  }

  get place(): Place {
    return { ws: this.system.gateways[0]?.ws ?? '', token: this.system.token };
  }

  /** The processes, by name. */
  get pids(): Readonly<Record<string, number>> {
    const { gateways, runtimes, proxies } = this.system;
    return { gateway: gateways[0]?.pid ?? 0, runtime: runtimes[0]?.pid ?? 0, proxy: proxies[0]?.pid ?? 0 };
  }

  /** Bytes of each of `pids`, in their order, once it is idle and the garbage is collected. */
  memory(): Promise<readonly Memory[]> {
    return Promise.all(Object.values(this.pids).map((pid) => memoryOf(pid, this.folder)));
  }

  /** Begins a turn in each of so many sessions; see `driveSession`. */
  async drive(prefix: string, sessions: number): Promise<void> {
    for (let n = 0; n < sessions; n += AT_ONCE) {
      const count = Math.min(AT_ONCE, sessions - n);
      await Promise.all(Array.from({ length: count }, (_, k) => driveSession(this.place, `${prefix}-${String(n + k)}`)));
    }
  }

  keys(): Promise<ReadonlyMap<string, KindUse>> {
    return measureKeys(this.redis);
  }

  /** `used_memory` of Redis, in bytes. */
  async used(): Promise<number> {
    return Number(/used_memory:(\d+)/.exec(await this.redis.info('memory'))?.[1]);
  }

  async close(): Promise<void> {
    this.redis.disconnect();
    await this.system.stop();
    await this.closeProvider();
    await rm(this.folder, { recursive: true });
  }
}
