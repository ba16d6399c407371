import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startStore, type Store, type StoreKind } from './store.js';

export type ServiceKind = 'gateway' | 'agent-runtime' | 'llm-proxy';

/** A service of a run: a process of its own. */
export interface Service {
  readonly kind: ServiceKind;
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  /** SIGTERM, and its drain. Resolves with the exit code; a signal that killed it counts as an error. */
  drain(): Promise<number>;
}

export interface FleetOptions {
  readonly store?: StoreKind;
  /** For every service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Persons that the sessions belong to. Default 1. */
  readonly owners?: number;
}

const KINDS: readonly ServiceKind[] = ['gateway', 'agent-runtime', 'llm-proxy'];
const root = fileURLToPath(new URL('../../', import.meta.url));
const PRELOAD = fileURLToPath(new URL('../measure/report-memory.cjs', import.meta.url));
const PORT_VARIABLE = { gateway: 'GATEWAY_PORT', 'agent-runtime': 'RUNTIME_PORT', 'llm-proxy': 'LLM_PROXY_PORT' } as const;

type Message = { readonly type: 'listening'; readonly port: number } | { readonly type: 'ready' | 'failed' };

/** Real services over a Redis of their own, of which there may be more or fewer at any time. Built first: `apps/<service>/dist/main.js`. */
export class Fleet {
  private readonly running = new Set<Service>();
  private readonly children = new Map<Service, ChildProcess>();
  private count = 0;

  private constructor(
    private readonly options: FleetOptions,
    readonly store: Store,
    /** Where services report their memory, and keep their logs. */
    readonly folder: string,
  ) {}

  static async start(options: FleetOptions = {}): Promise<Fleet> {
    const folder = await mkdtemp(join(tmpdir(), 'codelab-scale-'));
    await mkdir(join(folder, 'data'));
    return new Fleet(options, await startStore(options.store ?? 'single', folder), folder);
  }

  /** Those that run, the oldest first. */
  of(kind: ServiceKind): readonly Service[] {
    return [...this.running].filter((service) => service.kind === kind);
  }

  /** Those that run: gateways, then runtimes, then proxies. */
  get services(): readonly Service[] {
    return KINDS.flatMap((kind) => this.of(kind));
  }

  /** The token of a person, by their number. */
  token(owner = 0): string {
    return `scale-${String(owner % (this.options.owners ?? 1))}`;
  }

  /** Starts one more, and resolves when it is ready. */
  async add(kind: ServiceKind, env: Readonly<Record<string, string>> = {}): Promise<Service> {
    const name = `${kind}-${String((this.count += 1))}`;
    const tokens = Array.from({ length: this.options.owners ?? 1 }, (_, n) => `scale-${String(n)}=scale/person-${String(n)}`);
    const own = {
      ...{ PATH: process.env['PATH'] ?? '', HOME: this.folder, XDG_CONFIG_HOME: this.folder, CODELAB_DATA_DIR: join(this.folder, 'data') },
      ...{ CODELAB_TOKENS: tokens.join(','), REDIS_URL: this.store.url, [PORT_VARIABLE[kind]]: '0', LOG_LEVEL: 'warn' },
      ...{ NODE_OPTIONS: `--require ${PRELOAD}`, BENCH_MEMORY_DIR: this.folder, CODELAB_VOCABULARY: 'codelab' },
    };
    const child = fork(join(root, 'apps', kind, 'dist', 'main.js'), {
      env: { ...own, ...this.options.env, ...env },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child.stderr?.pipe(createWriteStream(join(this.folder, `${name}.log`)));
    const exited = once(child, 'exit') as Promise<[number | null]>;
    const port = await new Promise<number>((resolve, reject) => {
      let listening = 0;
      child.on('message', (message: Message) => {
        if (message.type === 'listening') listening = message.port;
        if (message.type === 'ready') resolve(listening);
      });
      void exited.then(() => reject(new Error(`${name} ended before it was ready: see ${join(this.folder, `${name}.log`)}`)));
    });
    const drain = async (): Promise<number> => {
      child.kill('SIGTERM');
      const [code] = await exited;
      this.running.delete(service);
      return code ?? 1;
    };
    const service: Service = { kind, name, pid: child.pid ?? 0, port, drain };
    this.running.add(service);
    this.children.set(service, child);
    return service;
  }

  /** What services logged at `error` or above, and how often each event came at `warn`. */
  async logged(): Promise<{ readonly errors: readonly string[]; readonly warnings: string }> {
    const names = [...this.children.keys()].map(({ name }) => name);
    const logs = await Promise.all(names.map((name) => readFile(join(this.folder, `${name}.log`), 'utf8').catch(() => '')));
    const lines = logs.flatMap((log) => log.split('\n'));
    const counts = new Map<string, number>();
    for (const line of lines) {
      const [, event] = /"level":"warn".*"event":"([^"]+)"/.exec(line) ?? [];
      if (event !== undefined) counts.set(event, (counts.get(event) ?? 0) + 1);
    }
    return {
      errors: lines.filter((line) => /"level":"(?:error|fatal)"/.test(line)),
      warnings: [...counts].map(([event, count]) => `${event} ${String(count)}`).join(', ') || 'none',
    };
  }

  async stop(): Promise<void> {
    for (const service of this.running) {
      const child = this.children.get(service);
      const exited = child && child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      child?.kill('SIGKILL');
      await exited;
    }
    await this.store.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
