import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { drawFrom } from '../plan/draw.js';
import type { ChaosEventBody } from '../recording/chaos-event.js';
import type { Recorder } from '../recording/recorder.js';
import { auditSession } from './audit-session.js';
import type { ClientSession } from './client/client-config.js';
import { observerOf } from './client/client-config.js';
import type { ClientPool } from './client/client-pool.js';
import { ClientProcess, type WorkloadClient } from './client/client-process.js';
import { SessionDriver } from './drive-session.js';
import { WireObserver } from './observer/wire-observer.js';
import { RAW_TOOLS, runRawExecutor } from './observer/raw-executor.js';
import { OpenMessages } from './open-messages.js';
import { decideWhatIsLeft } from './other-decider.js';
import { readEffects } from './read-effects.js';
import { RestClient } from './rest-client.js';
import type { Owner } from './script/owners.js';
import type { SessionScript } from './script/session-script.js';
import { writeScripts } from './script/write-scripts.js';
import { startSpy } from './spy.js';

/** What a workload needs of the system that it works on. */
export interface WorkloadSystem {
  /** `http://host:port` of the gateways: requests. */
  readonly restUrl: string;
  /** `ws://…/ws` of a link to the gateways for one client or observer alone, by its name. */
  linkFor(name: string): Promise<string>;
}

export interface WorkloadOptions {
  readonly seed: number;
  readonly system: WorkloadSystem;
  readonly recorder: Recorder;
  readonly owners: readonly [Owner, Owner];
  /** A folder for workspaces and clients' data, made here. */
  readonly folder: string;
  /** Where client processes come from; lives longer than a workload. */
  readonly pool: ClientPool;
}

/** Conversations that are held while a system is broken. */
export interface Workload {
  /** The processes that execute, to be killed and frozen. */
  readonly clients: readonly WorkloadClient[];
  readonly sessions: readonly string[];
  /**
   * Waits until every act is over and every session rests, or nothing has happened in them for `withinMs` (five times that in all), then
   * reads each session as it is: its whole log, its history, its disk. What has not come to rest by then is in the answer, and in the recording.
   */
  settled(withinMs: number): Promise<readonly string[]>;
  /** Deletes the sessions and ends all processes and sockets. */
  stop(): Promise<void>;
}

const CONNECT_MS = 8_000;
/** For how long it is tried to delete a session: one that is left is taken for the product's. */
const DELETE_MS = 20_000;

/** Starts the conversations of a seed. Resolves when their clients are starting; drive goes on by itself. */
export async function startWorkload(options: WorkloadOptions): Promise<Workload> {
  const crew = new Crew(options);
  await crew.begin();
  return crew;
}

class Crew implements Workload {
  private readonly scripts: readonly SessionScript[];
  private readonly processes = new Map<string, ClientProcess>();
  private readonly watchers: WireObserver[] = [];
  private readonly endings: (() => Promise<void> | void)[] = [];
  private readonly roots: { readonly root: string; readonly session: string }[] = [];
  private readonly stopping = new AbortController();
  private readonly openMessages = new OpenMessages();
  private driving: Promise<unknown> = Promise.resolve();
  private isDriven = false;

  constructor(private readonly options: WorkloadOptions) {
    this.scripts = writeScripts(options.seed, options.owners);
    this.endings.push(options.recorder.listen((event) => this.openMessages.take(event)));
  }

  get clients(): readonly WorkloadClient[] {
    return [...this.processes.values()];
  }

  get sessions(): readonly string[] {
    return this.scripts.map(({ session }) => session);
  }

  async begin(): Promise<void> {
    for (const script of this.scripts.filter(({ kind }) => kind === 'executor')) await this.employ(script.client, script);
    for (const client of this.processes.values()) client.start();
    this.driving = Promise.all(this.scripts.map((script) => this.drive(script))).finally(() => (this.isDriven = true));
    const { owners, system, recorder } = this.options;
    const [first] = this.scripts;
    if (first === undefined) return;
    const url = await system.linkFor('spy');
    const spy = startSpy({ owner: owners[1 - first.owner]!, session: first.session, url, restUrl: system.restUrl, recorder });
    this.endings.push(() => spy.close());
  }

  async settled(withinMs: number): Promise<readonly string[]> {
    const began = performance.now();
    let moved = began;
    const stop = this.options.recorder.listen((event) => {
      if (event.kind === 'run' || (event.kind === 'frame' && event.frame['seq'] !== undefined)) moved = performance.now();
    });
    const left = (): number => Math.max(0, Math.min(moved + withinMs, began + 5 * withinMs) - performance.now());
    while (!this.isDriven && left() > 0) await Promise.race([this.driving, delay(Math.min(left(), 1_000))]);
    for (const script of this.scripts) await this.rests(script, left);
    // One more look at all: what rested first may have been told something while the others were waited for.
    const restless: string[] = [];
    for (const script of this.scripts) if (!(await this.rests(script, left))) restless.push(script.session);
    stop();
    const { recorder } = this.options;
    if (!this.isDriven) recorder.record({ kind: 'note', text: 'The conversations are not over.' });
    for (const session of restless) recorder.record({ kind: 'note', text: `The session ${session} does not come to rest.` });
    recorder.record({ kind: 'phase', what: 'settled' });
    await Promise.all(this.scripts.map((script) => this.audit(script)));
    for (const { root, session } of this.roots) for (const effect of await readEffects(root, session)) recorder.record(effect);
    return restless;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    const ended = this.endings.map((end) => end());
    await Promise.all([...this.processes.values()].map((client) => client.close(3_000)));
    // Nobody is connected any more: a `hello` on its way would begin a session anew that is deleted already.
    await Promise.all([...ended, ...this.watchers.map((watcher) => watcher.close())]);
    const deletions = this.scripts.flatMap(({ session }) =>
      this.options.owners.map((owner) => this.rest(owner).insist('DELETE', `/api/v1/sessions/${session}`, undefined, DELETE_MS)),
    );
    await Promise.all(deletions);
  }

  /** Gives a session to a client process, which may have others. */
  private async employ(name: string, script: SessionScript): Promise<ClientProcess> {
    const { folder, system, recorder, owners, pool } = this.options;
    let client = this.processes.get(name);
    if (client === undefined) {
      const url = await system.linkFor(name);
      const record = (event: ChaosEventBody): void => recorder.record(event);
      client = this.processes.get(name) ?? new ClientProcess({ name, url, origin: recorder.clock.origin, pool, record }); // another session was as fast
      this.processes.set(name, client);
    }
    const { session, model, vocabulary } = script;
    const owner = owners[script.owner];
    const [root, dataDir] = ['workspace', 'data'].map((part) => join(folder, name, session, part)) as [string, string];
    await mkdir(root, { recursive: true });
    this.roots.push({ root, session });
    const opened: ClientSession = { session, token: owner.token, root, dataDir, model, vocabulary };
    recorder.record({ kind: 'observer', observer: observerOf(name, session), role: 'executor', owner: owner.name, session });
    client.open(opened);
    return client;
  }

  private async drive(script: SessionScript): Promise<void> {
    const { owners, recorder, seed } = this.options;
    const owner = owners[script.owner];
    const draw = drawFrom(seed, `people of ${script.session}`);
    const isRaw = script.kind === 'raw';
    const { model, vocabulary } = script;
    const hello = isRaw ? { tools: RAW_TOOLS, workspace: { id: script.session, name: 'raw' }, model, vocabulary } : {};
    const watcher = await this.watch(script, owner, isRaw ? 'raw' : 'watcher', hello);
    const rest = this.rest(owner);
    if (isRaw) this.endings.push(runRawExecutor(watcher, draw.fork('raw'), owner.secret));
    else {
      this.endings.push(decideWhatIsLeft(watcher, rest, draw.fork('decisions')));
      await this.connected(observerOf(script.client, script.session));
    }
    const client = this.processes.get(script.client);
    const succeed = (name: string): Promise<string | undefined> => this.succeed(name, script);
    await new SessionDriver({ script, watcher, rest, client, succeed, recorder, signal: this.stopping.signal }).drive();
  }

  private async watch(script: SessionScript, owner: Owner, role: 'watcher' | 'raw', hello: object): Promise<WireObserver> {
    const name = `${role}/${script.session}`;
    const watcher = new WireObserver({
      ...{ name, role, owner: owner.name, session: script.session, token: owner.token, hello, clientId: randomUUID() },
      url: await this.options.system.linkFor(name),
      record: (event) => this.options.recorder.record(event),
    });
    this.watchers.push(watcher);
    return watcher;
  }

  private async succeed(name: string, script: SessionScript): Promise<string | undefined> {
    const client = await this.employ(name, script);
    const connected = this.connected(observerOf(name, script.session));
    if (client.state === 'down') client.start();
    return connected;
  }

  /** Waits for the welcome of an observer; answers the `client_id` that it said. */
  private connected(observer: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      let clientId: string | undefined;
      const done = (): void => {
        clearTimeout(timer);
        stop();
        this.stopping.signal.removeEventListener('abort', done);
        resolve(clientId);
      };
      const timer = setTimeout(done, CONNECT_MS);
      const stop = this.options.recorder.listen((event) => {
        if (event.kind !== 'frame' || event.observer !== observer) return;
        if (event.frame.type === 'hello') clientId = String(event.frame['client_id']);
        if (event.frame.type === 'welcome') done();
      });
      this.stopping.signal.addEventListener('abort', done, { once: true });
    });
  }

  private async rests(script: SessionScript, left: () => number): Promise<boolean> {
    const rest = this.rest(this.options.owners[script.owner]);
    do {
      const { status, body } = await rest.insist('GET', `/api/v1/sessions/${script.session}`, undefined, left());
      const isIdle = status === 404 || (status === 200 && (body as { status?: string }).status === 'idle');
      if (isIdle && !this.isAsking(script)) return true;
      await delay(200);
    } while (left() > 0);
    return false;
  }

  /** Whether a message has been said, or is to be, that nobody has answered yet: its turn is still to come. */
  private isAsking({ session }: SessionScript): boolean {
    const watcher = this.watchers.find(({ options }) => options.session === session);
    return this.openMessages.areIn(session) || watcher?.open.some(({ type }) => type === 'user_message') === true;
  }

  private async audit(script: SessionScript): Promise<void> {
    const owner = this.options.owners[script.owner];
    const url = await this.options.system.linkFor('auditor');
    const record = (event: ChaosEventBody): void => this.options.recorder.record(event);
    await auditSession({ session: script.session, owner, url, rest: this.rest(owner), record });
  }

  private rest({ name, token }: Owner): RestClient {
    const { system, recorder } = this.options;
    return new RestClient({ name: `rest/${name}`, url: system.restUrl, token, record: (event) => recorder.record(event) });
  }
}
