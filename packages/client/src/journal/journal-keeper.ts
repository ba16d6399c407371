import { randomUUID } from 'node:crypto';
import type { Journal } from './journal.js';
import { openJournal, type OpenedJournal } from './open-journal.js';
import type { Clock } from '@codelab/clock';

/** How often, about, a client that only watches looks whether the journal is free. */
const RETRY_MS = 1_000;

/** What keeping a journal needs. */
export interface KeeperPorts {
  readonly journalDir: string;
  readonly clientId: string;
  readonly clock: Clock;
  /** The process that had the journal let go of it: this one has it now, and must introduce itself anew. */
  readonly onTakeover: () => void;
  readonly onProblem: (error: Error) => void;
}

type State =
  | { readonly kind: 'none' }
  | { readonly kind: 'open'; readonly opened: Extract<OpenedJournal, { kind: 'open' }> }
  /** Another process has it. This one watches, as a client of another name, and tries again. */
  | { readonly kind: 'standby'; readonly clientId: string; readonly retry: () => void }
  | { readonly kind: 'closed' };

/**
 * The journal of the session, or the wait for it. Two processes of one machine on one session are the same executor, but only one of them
 * at a time may execute: the second one watches until the first is gone, then takes its place.
 */
export class JournalKeeper {
  private state: State = { kind: 'none' };
  private trying: Promise<void> | undefined;
  /** What came while the journal was being opened. */
  private held: (() => void)[] | undefined;

  constructor(private readonly ports: KeeperPorts) {}

  get journal(): Journal | undefined {
    return this.state.kind === 'open' ? this.state.opened.journal : undefined;
  }

  /** As whom this process introduces itself. */
  get clientId(): string {
    return this.state.kind === 'standby' ? this.state.clientId : this.ports.clientId;
  }

  /** Nobody has asked for the journal yet: the session had no name. */
  get needsOpening(): boolean {
    return this.state.kind === 'none';
  }

  get isStandby(): boolean {
    return this.state.kind === 'standby';
  }

  /** Opens the journal, or stands by. Rejects with the file system's error. */
  async open(sessionId: string): Promise<void> {
    if (this.state.kind !== 'none') return;
    this.held = [];
    const { held } = this;
    await this.attempt(sessionId).finally(() => this.dropHeld());
    if (this.journal !== undefined) for (const deliver of held) deliver();
  }

  /** Passes something on: at once, or when the journal is open that is being opened; never if it can't be. */
  afterOpening(deliver: () => void): void {
    if (this.held === undefined) deliver();
    else this.held.push(deliver);
  }

  /** Waits no longer: what was held goes nowhere, and what comes is passed on at once. */
  dropHeld(): void {
    this.held = undefined;
  }

  async close(): Promise<void> {
    const { state } = this;
    this.state = { kind: 'closed' };
    if (state.kind === 'standby') state.retry();
    await this.trying?.catch(() => undefined); // it told `open`, or whoever hears of problems
    if (state.kind === 'open') await state.opened.close();
  }

  private async attempt(sessionId: string): Promise<void> {
    this.trying = this.tryOnce(sessionId);
    await this.trying;
  }

  private async tryOnce(sessionId: string): Promise<void> {
    const { journalDir, clientId, onProblem } = this.ports;
    const opened = await openJournal({ journalDir, sessionId, clientId, onProblem });
    const wasStandby = this.state.kind === 'standby';
    if (this.state.kind === 'closed') {
      if (opened.kind === 'open') await opened.close();
      return;
    }
    if (opened.kind === 'open') {
      this.state = { kind: 'open', opened };
      if (wasStandby) this.ports.onTakeover();
      return;
    }
    this.standBy(sessionId);
  }

  /** Tries again later; not in step with others that wait, because of two at the same instant neither gets it. */
  private standBy(sessionId: string): void {
    const clientId = this.state.kind === 'standby' ? this.state.clientId : randomUUID();
    const retry = this.ports.clock.after(RETRY_MS * (0.5 + Math.random()), () => {
      this.attempt(sessionId).catch((error: unknown) => {
        this.ports.onProblem(error as Error);
        if (this.state.kind === 'standby') this.standBy(sessionId);
      });
    });
    this.state = { kind: 'standby', clientId, retry };
  }
}
