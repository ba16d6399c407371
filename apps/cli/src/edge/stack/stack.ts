import type { Logger } from '@codelab/service-shell';
import { CommandError } from '../../core/command-error.js';
import { REDIS_SERVER } from '../../core/programs/program-need.js';
import {
  planStack,
  type PortSettings,
  type ReplicaPlan,
  type ServiceName,
  type StackShape,
  type StackUser,
} from '../../core/stack/plan-stack.js';
import { toRedisAddress } from '../../core/stack/redis-address.js';
import type { StackInfo } from '@codelab/client/local-stack';
import { askRedis } from './ask-redis.js';
import { fetchPrograms } from '../programs/fetch-programs.js';
import { findProgram } from '../programs/plan-programs.js';
import { freePort } from './free-port.js';
import { KeptProcess } from './kept-process.js';
import { launchRedis, REDIS_GRACE_MS } from './launch-redis.js';
import { launchService, SERVICE_GRACE_MS } from './launch-service.js';

export interface StackSettings {
  readonly shape: StackShape;
  readonly ports: PortSettings;
  /** Decides about ports that are not configured. */
  readonly user: StackUser;
  readonly dataDir: string;
  /** Undefined: a private Redis is started. */
  readonly redisUrl: string | undefined;
  readonly token: string;
  /** The compiled `main.js` of each service. */
  readonly mains: Readonly<Record<ServiceName, string>>;
  /** Further variables for the services. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
  /** Says something to the person who waits. */
  readonly say: (text: string) => void;
}

interface Replica {
  readonly plan: ReplicaPlan;
  readonly process: KeptProcess;
  readonly port: () => number;
}

/** The processes of a stack, kept alive together. `stop` works from the first moment on, also while `start` is under way. */
export class Stack {
  private redis: KeptProcess | undefined;
  private redisUrl = '';
  private replicas: readonly Replica[] = [];
  private stopped: Promise<void> | undefined;

  /** `onChange` is called when a process was started again: `info` has another pid now. */
  constructor(
    private readonly settings: StackSettings,
    private readonly onChange: () => void,
  ) {}

  /** Redis first, then all services side by side; resolves when every one is ready. Rejects with a sentence; call `stop` then, too. */
  async start(): Promise<void> {
    this.redisUrl = this.settings.redisUrl ? await this.greetRedis(this.settings.redisUrl) : await this.startRedis();
    if (this.stopped) return;
    const { shape, ports, user } = this.settings;
    this.replicas = planStack(shape, ports, user).map((plan) => this.toReplica(plan));
    await Promise.all(this.replicas.map(({ process }) => begin(process)));
  }

  get info(): StackInfo {
    const of = (service: ServiceName) =>
      this.replicas
        .filter(({ plan }) => plan.service === service)
        .map(({ process, port }) => ({ url: `http://127.0.0.1:${port()}`, pid: process.pid ?? 0 }));
    return {
      gateways: of('gateway').map(({ url, pid }) => ({ url, ws: `${url.replace('http', 'ws')}/ws`, pid })),
      runtimes: of('agent-runtime'),
      proxies: of('llm-proxy'),
      redis: { url: this.redisUrl, pid: this.redis?.pid ?? null },
      token: this.settings.token,
    };
  }

  /** Services drain, then Redis ends. Resolves when every process is gone; never rejects. */
  stop(): Promise<void> {
    this.stopped ??= this.stopAll();
    return this.stopped;
  }

  /** Ends every process now. What Redis had answered is on disk. */
  kill(): void {
    for (const { process } of this.replicas) process.kill();
    this.redis?.kill();
  }

  private async stopAll(): Promise<void> {
    await Promise.all(this.replicas.map(({ process }) => process.stop(SERVICE_GRACE_MS)));
    await this.redis?.stop(REDIS_GRACE_MS);
  }

  /** The services wait for it by themselves; the person who waits for them learns why. */
  private async greetRedis(url: string): Promise<string> {
    const address = toRedisAddress(url);
    if (!address) return url;
    await askRedis(address, [['PING']]).catch((error: Error) => {
      const advice = 'start it, correct REDIS_URL, or unset it to have a private one started';
      this.settings.say(`Waiting for Redis on ${address.shown}, which does not answer (${error.message}): ${advice}.`);
    });
    return url;
  }

  private async startRedis(): Promise<string> {
    const { dataDir, logger, say } = this.settings;
    await fetchPrograms([REDIS_SERVER], { dataDir, say });
    const program = (await findProgram(REDIS_SERVER))?.path ?? REDIS_SERVER.name;
    const { launch, url } = launchRedis({ program, dataDir, port: await freePort(), logger });
    this.redis = new KeptProcess('redis', launch, logger, this.onChange);
    if (!this.stopped) await begin(this.redis);
    return url;
  }

  private toReplica(plan: ReplicaPlan): Replica {
    const { mains, dataDir, environment, logger } = this.settings;
    const variables = { ...environment, REDIS_URL: this.redisUrl, CODELAB_DATA_DIR: dataDir };
    const { launch, port } = launchService({ plan, main: mains[plan.service], environment: variables, folder: dataDir });
    return { plan, process: new KeptProcess(plan.name, launch, logger, this.onChange), port };
  }
}

async function begin(process: KeptProcess): Promise<void> {
  await process.begin().catch((cause: Error) => {
    throw cause instanceof CommandError ? cause : new CommandError(`${cause.message}: what it said before is above.`, 1, { cause });
  });
}
