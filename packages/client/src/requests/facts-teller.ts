import { createHash } from 'node:crypto';
import { encodeFrame, type ServerFrameOf, type WorkspaceFacts } from '@codelab/protocol';
import type { Clock } from '@codelab/clock';
import { readKnowledge } from '@codelab/tools';

/**
 * How long a message waits for the facts. What comes later is told before the next one. They are there in time: whoever collects them gives up
 * what can be done without after two seconds. What was undone can't, since a model that has not heard of it builds on it.
 */
const MAX_WAIT_MS = 5_000;
/** How long the beginning of a session waits for an agent that only the facts describe: without them it would be refused. */
const MAX_WAIT_FOR_AGENT_MS = 15_000;

/** What a teller needs, and whom it tells of trouble. */
export interface FactsTellerPorts {
  /** Collects the facts; without it nothing is told. */
  readonly read: (() => Promise<WorkspaceFacts>) | undefined;
  readonly clock: Clock;
  /** `false`: there is no connection, nothing was sent. */
  readonly send: (text: string) => boolean;
  readonly onProblem: (message: string) => void;
}

/**
 * Tells the servers what a model should know of the workspace: once when this client executes, and again before a message if something
 * lasting has changed. What every edit changes, such as the status of git, is no news: the model can look. A gateway that knows no such
 * frame names no limit for it, and is told nothing.
 */
export class FactsTeller {
  private latest: WorkspaceFacts | undefined;
  private told: string | undefined;
  private reading: Promise<void> | undefined;
  /** Bytes that the gateway takes; 0: it knows no such frame. */
  private limit = 0;
  private executes = false;

  constructor(private readonly ports: FactsTellerPorts) {}

  /** Begins to collect, so that the facts are there when somebody wants them. */
  prepare(): void {
    void this.refresh();
  }

  /** Waits until the agents are there which the facts describe, or have taken too long to wait for. Never rejects. */
  readAgents(): Promise<void> {
    return this.within(MAX_WAIT_FOR_AGENT_MS, this.refresh());
  }

  /** Names of the agents that the facts describe. */
  get agents(): string[] {
    return [...new Set(readKnowledge(JSON.stringify(this.latest ?? {})).agents.map(({ name }) => name))];
  }

  /** Hears who executes, and what the gateway takes. */
  follow({ executor, recovered, limits }: Pick<ServerFrameOf<'welcome'>, 'executor' | 'recovered' | 'limits'>): void {
    if (!recovered) this.told = undefined; // another gateway, or a store that has lost what it had
    this.limit = limits['max_facts_bytes'] ?? 0;
    this.executes = executor === 'you';
  }

  /** Another client may have said something else meanwhile. */
  followExecutor(executor: ServerFrameOf<'welcome'>['executor']): void {
    this.told = undefined;
    this.executes = executor === 'you';
  }

  /** Tells at once what is known, before messages that wait are sent. */
  tellKnown(): void {
    if (!this.isHeard || this.latest === undefined) return;
    const digest = digestOf(this.latest);
    if (digest === this.told) return;
    const text = encodeFrame({ type: 'workspace_facts', ...this.latest });
    if (Buffer.byteLength(text) > this.limit) return this.ports.onProblem('The facts of the workspace are too large to be sent.');
    if (this.ports.send(text)) this.told = digest;
  }

  /** Looks again, and tells what is new; resolves when that is done, or has taken too long to wait for. Never rejects. */
  async tellNews(): Promise<void> {
    if (!this.isHeard) return;
    await this.within(MAX_WAIT_MS, this.refresh());
    this.tellKnown();
  }

  private get isHeard(): boolean {
    return this.executes && this.limit > 0 && this.ports.read !== undefined;
  }

  private refresh(): Promise<void> {
    const { read, onProblem } = this.ports;
    if (read === undefined) return Promise.resolve();
    this.reading ??= Promise.resolve()
      .then(read)
      .then((facts) => void (this.latest = facts))
      .catch((error: unknown) => onProblem(`The facts of the workspace can't be read: ${(error as Error).message}`))
      .finally(() => (this.reading = undefined));
    return this.reading;
  }

  private within(ms: number, promise: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const callOff = this.ports.clock.after(ms, resolve);
      void promise.finally(() => {
        callOff();
        resolve();
      });
    });
  }
}

/** Of what lasts. */
const digestOf = ({ environment, files, undone }: WorkspaceFacts): string => {
  const lasting = { ...environment, git_status: undefined, commits: undefined, tree: undefined };
  const seen = files?.map(({ content: _, ...file }) => file);
  return createHash('sha256')
    .update(JSON.stringify([lasting, seen, undone]))
    .digest('base64url');
};
