import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inTime } from '../in-time.js';
import type { Recorder } from '../recording/recorder.js';
import { startStore } from '../redis/start-store.js';
import type { ChaosStore, StoreKind } from '../redis/store.js';
import { ChaosProcess } from './chaos-process.js';
import { ownRoot, type ServiceKind } from './installation.js';
import { launchService } from './launch-service.js';
import { Link } from './link.js';
import { SMALL_TIMES } from './small-times.js';

/** How long all services together may take to start on a machine with much to do. */
const START_MS = 60_000;

/** How many of each service there are. */
export interface SystemShape {
  readonly store: StoreKind;
  readonly gateways: number;
  readonly runtimes: number;
  readonly proxies: number;
}

export const USUAL_SHAPE: SystemShape = { store: 'single', gateways: 2, runtimes: 2, proxies: 2 };

export interface SystemOptions {
  readonly shape: SystemShape;
  /** Everything that the system writes; made, and taken away by `stop`. */
  readonly folder: string;
  /** The installation whose built services run. Default: this one. */
  readonly root?: string;
  /** Another installation, whose services `roll` starts: the version before, or after. Default: the same. */
  readonly otherRoot?: string;
  /** `CODELAB_TOKENS`, the addresses of the model upstream, and what else the services are to know. */
  readonly env: Readonly<Record<string, string>>;
}

/** A service: its process, its clock and which installation it is from. */
export interface ChaosService {
  readonly name: string;
  readonly kind: ServiceKind;
  readonly process: ChaosProcess;
  readonly port: { readonly value: number };
  /** Sets its clock so many milliseconds ahead of the machine's; negative: back. */
  shiftClock(ms: number): Promise<void>;
  /** From its next start on it is from the other installation, or from the own one again. */
  useOther(isOther: boolean): void;
}

/**
 * A whole system of real processes that can be broken: services from the built files, Redis, and a load balancer before the gateways that
 * is ours, with a line for each client.
 */
export class ChaosSystem {
  private recorder: Pick<Recorder, 'record'> = { record: () => undefined };
  private readonly clientLinks = new Map<string, Link>();
  private readonly openings = new Map<string, Promise<Link>>();
  private turn = 0;

  private constructor(
    readonly options: SystemOptions,
    readonly store: ChaosStore,
    readonly services: readonly ChaosService[],
    private readonly front: Link,
    private readonly proxyFront: Link,
  ) {}

  /** Resolves when all of it is ready. */
  static async start(options: SystemOptions): Promise<ChaosSystem> {
    const { shape, folder, root = ownRoot, otherRoot = root } = options;
    await mkdir(join(folder, 'data'), { recursive: true });
    const begun: { system?: ChaosSystem } = {};
    const recorder = (): Pick<Recorder, 'record'> => begun.system?.recorder ?? { record: () => undefined };
    const names = namesOf(shape);
    const store = await startStore(shape.store, { folder: join(folder, 'store'), services: names.map(({ name }) => name), recorder });
    const services: ChaosService[] = [];
    for (const { name, kind } of names) {
      const clockFile = join(folder, `${name}.clock`);
      await writeFile(clockFile, '0');
      const port = { value: 0 };
      const env = { ...environmentOf(folder), ...SMALL_TIMES, ...options.env, REDIS_URL: store.urlFor(name) };
      const launch = (from: string) => launchService({ root: from, service: kind, port, clockFile, folder: join(folder, 'data'), env });
      const process = new ChaosProcess(name, kind, launch(root), recorder);
      services.push({
        ...{ name, kind, process, port },
        shiftClock: async (ms) => {
          await writeFile(clockFile, String(ms));
          process.signal('SIGUSR2');
        },
        useOther: (isOther) => process.become(launch(isOther ? otherRoot : root)),
      });
    }
    const portsOf = (kind: ServiceKind) => () => {
      const of = services.filter((service) => service.kind === kind && service.process.state !== 'down');
      const first = (begun.system === undefined ? 0 : begun.system.turn++) % Math.max(of.length, 1);
      return [...of.slice(first), ...of.slice(0, first)].map(({ port }) => ({ port: port.value, host: '127.0.0.1' }));
    };
    const front = await Link.open('gateways', portsOf('gateway'));
    const proxyFront = await Link.open('proxies', portsOf('llm-proxy'));
    const system = (begun.system = new ChaosSystem(options, store, services, front, proxyFront));
    system.gatewayTargets = portsOf('gateway');
    try {
      await inTime(Promise.all(services.map(({ process }) => process.start())), START_MS);
    } catch (error) {
      await system.stop();
      throw error;
    }
    return system;
  }

  private gatewayTargets: () => readonly { port: number; host: string }[] = () => [];

  /** Where clients connect that no fault of a line is meant for. */
  get gatewayUrl(): string {
    return `ws://127.0.0.1:${String(this.front.port)}`;
  }

  get restUrl(): string {
    return `http://127.0.0.1:${String(this.front.port)}`;
  }

  get proxyUrl(): string {
    return `http://127.0.0.1:${String(this.proxyFront.port)}`;
  }

  /** The address of the gateways for one client, by a line of its own: `ws://…/ws`. */
  readonly linkFor = async (client: string): Promise<string> => {
    // Kept before it is open: whoever asks meanwhile gets the same one.
    const opening = this.openings.get(client) ?? Link.open(client, () => this.gatewayTargets());
    this.openings.set(client, opening);
    const link = await opening;
    this.clientLinks.set(client, link);
    return `ws://127.0.0.1:${String(link.port)}/ws`;
  };

  /** The lines of clients, by their names. */
  get links(): ReadonlyMap<string, Link> {
    return this.clientLinks;
  }

  recordTo(recorder: Pick<Recorder, 'record'>): void {
    this.recorder = recorder;
  }

  record: Recorder['record'] = (event) => this.recorder.record(event);

  servicesOf(kind: ServiceKind): readonly ChaosService[] {
    return this.services.filter((service) => service.kind === kind);
  }

  /** Ends the lines of clients: the next run has others. */
  async closeLinks(): Promise<void> {
    const openings = [...this.openings.values()];
    this.openings.clear();
    for (const link of await Promise.all(openings)) await link.close();
    this.clientLinks.clear();
  }

  async stop(): Promise<void> {
    await this.closeLinks();
    await Promise.all(this.services.map(({ process }) => process.close()));
    await this.front.close();
    await this.proxyFront.close();
    await this.store.close();
    await rm(this.options.folder, { recursive: true, force: true });
  }
}

function namesOf({ gateways, runtimes, proxies }: SystemShape): readonly { readonly name: string; readonly kind: ServiceKind }[] {
  const several = (kind: ServiceKind, count: number) =>
    Array.from({ length: count }, (_, n) => ({ name: `${kind}-${String(n + 1)}`, kind }));
  return [...several('gateway', gateways), ...several('agent-runtime', runtimes), ...several('llm-proxy', proxies)];
}

/** Nothing of this machine's settings. */
const environmentOf = (folder: string): Readonly<Record<string, string>> => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: folder,
  XDG_CONFIG_HOME: folder,
  CODELAB_DATA_DIR: join(folder, 'data'),
});
