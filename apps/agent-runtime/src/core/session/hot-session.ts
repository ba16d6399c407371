import type { HolderSeen, LeasedSession, LeaseFence, SessionRef, StepDelta, StepEffects } from '@codelab/bus';
import { type Advance, advanceTurn } from '../turn/advance-turn.js';
import { nextWakeAt } from '../turn/turn-times.js';
import type { RuntimePorts } from './runtime-ports.js';
import { recordStep } from '../tracing/record-step.js';
import { prepareUses } from '../uses/prepare-uses.js';
import { SerialLoop } from './serial-loop.js';
import { InputReader } from './input-reader.js';
import { statusFrame } from './status-frame.js';
import { thoughtFrame } from './thought-frame.js';
import type { StepInputs } from '../turn/step-context.js';
import { openServerCalls, type SessionState } from '../turn/turn-state.js';

/** Pauses while Redis is away. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/** Commits in a row that were refused for not knowing something which then can't be found: the session is left to another holder. */
const MAX_REFUSALS = 20;

/** A session with a deadline this near is not parked: the sweep that would bring it back has a precision of a second. */
const SOON_MS = 2_000;

/** Why a session is no longer held. */
export type Left = 'parked' | 'handed_over' | 'fenced' | 'gone' | 'stuck' | 'fault';

/**
 * A session that this process holds the lease of. One loop advances it: inputs → step → one commit. The state in memory is the committed
 * one, always: a step whose commit is refused is computed again, one whose commit's fate is unknown is looked up before anything else (R1).
 */
export class HotSession {
  readonly ref: SessionRef;
  readonly leaseFence: LeaseFence;
  /** When it last had something to do. */
  activeAtMs: number;
  /** Settles when it is no longer held, and nothing of it listens any more. */
  readonly left: Promise<Left>;
  private readonly loop: SerialLoop;
  private readonly reader: InputReader;
  private state: SessionState;
  private storedText: string;
  /** A step whose commit may or may not have happened. */
  private doubtful: Advance | undefined;
  private isNew = true;
  /** The last frame that is known to be in the log. */
  private seqSeen: number;
  /** The store seems to have lost what was read. */
  private isSetBack = false;
  private refusals = 0;
  private pauseMs = 0;
  private leaving: 'parked' | 'handed_over' | undefined;
  private held = true;
  private releasing = false;
  private leaveNow!: (why: Left) => void;

  constructor(
    private readonly ports: RuntimePorts,
    leased: LeasedSession,
    state: SessionState,
  ) {
    this.ref = leased.meta.ref;
    this.leaseFence = leased.leaseFence;
    this.activeAtMs = ports.clock.now();
    this.state = state;
    this.storedText = leased.meta.state;
    this.seqSeen = leased.meta.seq;
    this.reader = new InputReader(ports, leased, state);
    this.loop = new SerialLoop(ports.clock, () => this.step());
    this.left = new Promise((resolve) => (this.leaveNow = resolve));
  }

  /** Begins to work and to listen. What came between the lease and the subscription is read. */
  async start(): Promise<void> {
    this.loop.poke();
    const { alerts, models, tasks } = this.ports;
    const { sid } = this.ref;
    tasks?.follow({ ref: this.ref, facts: this.reader.facts, after: this.state });
    try {
      await Promise.all([
        alerts.watch(sid, (alert) => {
          this.reader.inbox.hear(alert);
          if (alert.restored) this.reader.watch.doubt(this.ports.clock.now());
          if (alert.setBack) this.isSetBack = true;
          this.loop.poke();
        }),
        models.watch(sid, (delta) => {
          if (delta.thought !== undefined) return this.relayThought(delta);
          this.reader.watch.hear(delta);
          this.loop.poke();
        }),
      ]);
    } catch (error) {
      this.ports.log.warn({ event: 'session.not_watched', sid, message: String(error) });
      return this.drop('gone'); // Redis is away: the lease ends by itself
    }
    if (!this.held) return void this.unwatch(); // it was dropped before it listened
    this.wake();
  }

  /** Passes on what the model thinks: it is shown and forgotten, so no step is needed for it. */
  private relayThought(delta: StepDelta): void {
    const frame = thoughtFrame(this.state, delta, this.reader.facts);
    if (frame !== undefined) this.ports.store.relay(this.ref, frame).catch(() => undefined); // one that is lost does no harm
  }

  /** Somebody says that there is work: looks for it. */
  wake(): void {
    this.reader.inbox.isBehind = true;
    this.loop.poke();
  }

  /** False from the moment in which it is let go of. */
  get isHeld(): boolean {
    return this.held;
  }

  /** Its lease is being let go of: a renewal now would put the session off for as long as a lease lasts. */
  get isReleasing(): boolean {
    return this.releasing;
  }

  /** It has been told to leave. */
  get isLeaving(): boolean {
    return this.leaving !== undefined;
  }

  /** Somebody said that there is work, and nothing has come of it yet. */
  get hasWork(): boolean {
    return this.reader.inbox.isBehind || this.reader.inbox.entries.length > 0;
  }

  /** Whether it could be let go of without a loss: it waits for people or tools of clients, or for nothing. */
  get isParkable(): boolean {
    const { turn } = this.state;
    return turn === undefined || (turn.phase.kind === 'calling' && openServerCalls(turn).length === 0);
  }

  /** Lets go of the session as soon as no step is under way. `handed_over`: whatever it waits for, another replica goes on at once. */
  leave(why: 'parked' | 'handed_over'): void {
    this.leaving ??= why;
    this.loop.poke();
  }

  /** Holds the session no longer, without a word to the store. */
  drop(why: Left): void {
    if (!this.held) return;
    this.held = false;
    this.loop.stop();
    this.ports.serverCalls?.drop(this.ref.sid);
    void this.unwatch().then(() => this.leaveNow(why));
  }

  private unwatch(): Promise<unknown> {
    const { alerts, models } = this.ports;
    return Promise.allSettled([alerts.unwatch(this.ref.sid), models.unwatch(this.ref.sid)]);
  }

  private async step(): Promise<number | undefined> {
    try {
      if (this.doubtful !== undefined) await this.resolveDoubt(this.doubtful);
      if (this.isSetBack) await this.checkStore();
      if (!this.held) return undefined;
      const inputs = await this.reader.read(this.state);
      const { facts } = this.reader;
      const { limits, newId, known, beginTrace } = this.ports;
      await prepareUses(this.state);
      await this.commit(advanceTurn(this.state, inputs, { facts, limits, newId, known, beginTrace }), inputs);
      if (this.isNew && this.held) this.follow(undefined); // from now on its facts are read
      this.pauseMs = 0;
      return this.held ? await this.rest() : undefined;
    } catch (error) {
      return this.recover(error);
    }
  }

  private async commit(advance: Advance, inputs: StepInputs): Promise<void> {
    if (advance.effects === undefined) return this.adopt(advance);
    this.doubtful = advance;
    const judgedBy = this.judgedBy(advance.effects, inputs);
    const { leaseFence, seen } = this;
    const lease = { leaseFence, seen, cancelSeen: advance.cancelSeen, judgedBy };
    try {
      const verdict = await this.ports.store.commit(this.ref, lease, advance.effects);
      this.doubtful = undefined;
      if (typeof verdict === 'object') {
        this.seqSeen = verdict.seq;
        return this.adopt(advance);
      }
      this.refuse(verdict);
    } finally {
      if (this.state !== advance.state) this.reader.watch.giveBack(inputs.deltas ?? []);
    }
  }

  /** What a commit compares: for a step that judges calls all of it, for one that sets the mode that nobody has set it meanwhile. */
  private judgedBy({ meta }: StepEffects, { rules }: StepInputs): InputReader['judgedBy'] | undefined {
    const { judgedBy } = this.reader;
    if (rules !== undefined) return judgedBy;
    return meta?.mode === undefined ? undefined : { facts: judgedBy.facts };
  }

  private refuse(verdict: 'fenced' | 'cancelled' | 'outdated'): void {
    this.ports.meter.commitFailed(verdict === 'fenced' ? 'fenced' : 'stale');
    if (verdict === 'fenced') return this.drop('fenced');
    this.refusals += 1;
    if (this.refusals > MAX_REFUSALS) {
      this.ports.log.error({ event: 'session.stuck', sid: this.ref.sid });
      return this.drop('stuck');
    }
    if (verdict === 'outdated') this.reader.forgetJudgement();
    this.wake(); // what the step didn't know is in the inbox
  }

  /** A step is true: its state is the state. `wasDoubtful`: whoever should have heard of it may not have. */
  private adopt(advance: Advance, wasDoubtful = false): void {
    const before = this.state;
    const { clock, meter, store, tracing } = this.ports;
    this.state = advance.state;
    this.reader.watch.follow(advance.state, clock.now(), wasDoubtful);
    this.reader.forgetLeased();
    const status = statusFrame(before, advance.state, { facts: this.reader.facts, nowMs: clock.now() });
    if (status !== undefined) store.relay(this.ref, status).catch(() => undefined); // a hint: one that is lost does no harm
    if (advance.effects?.meta?.mode !== undefined) this.reader.forgetJudgement();
    if (advance.effects === undefined) return;
    this.storedText = advance.effects.state;
    this.refusals = 0;
    this.reader.inbox.consume(advance.effects.inboxUpTo);
    // The turn that ended may have been followed by one: its message is the next entry, if it wasn't announced meanwhile.
    if (advance.effects.endTurn !== undefined && this.reader.inbox.entries.length === 0) this.wake();
    this.activeAtMs = clock.now();
    meter.count(advance.events, this.activeAtMs);
    if (tracing !== undefined) recordStep(tracing, { ref: this.ref, facts: this.reader.facts, before, advance, nowMs: this.activeAtMs });
    this.log(advance);
    this.follow(before);
  }

  /** Has those told who work for the session beside its turn. One that is to be handed over begins nothing new. */
  private follow(before: SessionState | undefined): void {
    this.isNew = false;
    const { tasks, serverCalls } = this.ports;
    const { ref, leaseFence, state: after } = this;
    const { facts } = this.reader;
    tasks?.follow({ ref, facts, before, after });
    if (this.leaving !== 'handed_over') serverCalls?.follow({ ref, leaseFence, facts, before, after });
  }

  /** The fate of a commit is known by the state that is stored: no two have the same text. */
  private async resolveDoubt(advance: Advance): Promise<void> {
    const meta = await this.ports.store.readMeta(this.ref);
    this.doubtful = undefined;
    if (meta === undefined) return this.drop('gone');
    if (meta.state === advance.effects?.state) return this.adopt(advance, true);
    if (meta.state !== this.storedText) this.drop('fenced');
  }

  private get seen(): HolderSeen {
    return { seq: this.seqSeen, inbox: this.reader.inbox.seen };
  }

  /** A step without effects: where the store has lost what was read, it is fenced, and whoever holds the session next begins with what there is. */
  private async checkStore(): Promise<void> {
    const { leaseFence, seen, storedText } = this;
    const nothing = { inboxUpTo: this.reader.inbox.consumed, state: storedText, frames: [], history: [], calls: [] };
    const verdict = await this.ports.store.commit(this.ref, { leaseFence, seen, cancelSeen: '' }, nothing);
    this.isSetBack = false;
    if (verdict === 'fenced') this.drop('fenced');
  }

  /** What is left to do when a step is done: wait, or let go. */
  private async rest(): Promise<number | undefined> {
    const { clock, limits, lingerMs } = this.ports;
    const nowMs = clock.now();
    const wakeAtMs = nextWakeAt(this.state, limits);
    const isSoon = wakeAtMs !== undefined && wakeAtMs < nowMs + SOON_MS;
    const parkAtMs = this.isParkable && !isSoon ? this.activeAtMs + lingerMs : undefined;
    if (this.leaving === undefined && parkAtMs !== undefined && nowMs >= parkAtMs) this.leaving = 'parked';
    if (this.hasWork) {
      this.loop.poke();
      return undefined;
    }
    if (this.leaving === 'handed_over' && this.ports.serverCalls?.isRunning(this.ref.sid) === true) {
      void this.ports.serverCalls.handOver(this.ref.sid).then(() => this.loop.poke());
      return undefined;
    }
    if (this.leaving === 'handed_over' || (this.leaving === 'parked' && this.isParkable)) {
      await this.release(this.leaving);
      if (!this.held) return undefined;
    }
    const times = [wakeAtMs, this.reader.readAt(this.state), parkAtMs].filter((at) => at !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  private async release(why: 'parked' | 'handed_over'): Promise<void> {
    const { store, wakes, clock, limits } = this.ports;
    const { sid } = this.ref;
    const isBusy = !this.isParkable;
    const wakeAtMs = isBusy ? clock.now() : nextWakeAt(this.state, limits);
    this.leaving = why === 'parked' ? undefined : why;
    this.releasing = true;
    try {
      const answer = await store.releaseLease(sid, this.leaseFence, { wakeAtMs, seen: this.seen });
      if (answer === 'lost') this.isSetBack = true;
      if (answer !== 'released') return this.wake();
    } finally {
      this.releasing = false;
    }
    this.drop(why);
    if (isBusy) await wakes.wake(sid);
  }

  private recover(error: unknown): number | undefined {
    const { log, meter, clock } = this.ports;
    const { sid } = this.ref;
    const name = error instanceof Error ? error.name : '';
    if (name === 'SessionGone') this.drop('gone');
    else if (name !== 'BusError') {
      log.error({ event: 'session.fault', sid, err: error });
      this.drop('fault');
    } else if (this.leaving === 'handed_over') {
      this.drop('handed_over'); // the lease ends by itself
    }
    if (!this.held) return undefined;
    if (this.doubtful !== undefined) meter.commitFailed('unavailable');
    this.pauseMs = Math.min(Math.max(this.pauseMs * 2, FIRST_PAUSE_MS), MAX_PAUSE_MS);
    return clock.now() + this.pauseMs;
  }

  private log({ events }: Advance): void {
    const { log } = this.ports;
    const { sid } = this.ref;
    for (const event of events) {
      if (event.kind === 'fault') log.error({ event: 'turn.fault', sid, err: event.cause });
      if (event.kind === 'use_fault') log.error({ event: 'use.fault', sid, use: event.useId, tool: event.name, err: event.cause });
      if (event.kind === 'ignored') log.warn({ event: 'input.ignored', sid, what: event.what, id: event.id });
      if (event.kind === 'turn_ended') {
        log.info({ event: 'turn.ended', sid, turn_id: event.turnId, status: event.status, code: event.code });
      }
    }
  }
}
