import type { LeasedSession, Sid } from '@codelab/bus';
import { HotSession, type Left } from './hot-session.js';
import type { RuntimePorts } from './runtime-ports.js';
import { parseState } from '../turn/serialise-state.js';
import { EMPTY_STATE, type SessionState } from '../turn/turn-state.js';

/** How often leases are renewed, all in one round trip; a lease lasts 5 s (docs/specification/servers.md#waking). */
const RENEW_MS = 1_500;

/** For how long a session that only a newer release can read is left to that one. */
const LEFT_TO_OTHERS_MS = 60_000;

/** Sessions that are remembered for it. */
const MAX_LEFT_TO_OTHERS = 10_000;

/** How long a new session waits for an idle one to make room. */
const MAKE_ROOM_MS = 100;

/**
 * The sessions that this process holds, bounded. Whoever hears of work calls `open`; a session leaves by itself when it has nothing to do.
 */
export class HotSessions {
  private readonly sessions = new Map<Sid, HotSession>();
  private readonly opening = new Map<Sid, Promise<void>>();
  /** Sessions that this release can't read, and until when they are not tried again. */
  private readonly leftToOthers = new Map<Sid, number>();
  /** Sessions whose lease is being taken. */
  private arriving = 0;
  private isClosing = false;
  private cancelRenewal: (() => void) | undefined;

  constructor(private readonly ports: RuntimePorts) {
    this.renewLater();
  }

  /** Sessions that are held now. */
  get size(): number {
    return this.sessions.size;
  }

  /** Whether this process looks after the session. It hears of its work by itself. */
  holds(sid: Sid): boolean {
    return this.sessions.get(sid)?.isHeld === true;
  }

  /**
   * Makes sure that somebody looks after the session: this process, if nobody holds it. Resolves when that is settled, within
   * milliseconds; never waits for a turn. Does nothing while Redis is away, and throws `BusError` where it goes away meanwhile.
   */
  async open(sid: Sid): Promise<void> {
    const known = this.sessions.get(sid);
    if (known?.isHeld === true) return known.wake();
    await known?.left;
    if (this.ports.isAway()) return; // without both connections a lease would be held by nobody: the sweep brings it back
    if (this.isClosing || (this.leftToOthers.get(sid) ?? 0) > this.ports.clock.now()) return;
    const opening = this.opening.get(sid) ?? this.take(sid).finally(() => this.opening.delete(sid));
    this.opening.set(sid, opening);
    return opening;
  }

  /** Takes no more sessions, and hands over those that are held. Resolves when none is left, or when `signal` says that time is over. */
  async close(signal: AbortSignal): Promise<void> {
    this.isClosing = true;
    await Promise.allSettled(this.opening.values());
    const sessions = [...this.sessions.values()];
    for (const session of sessions) session.leave('handed_over');
    const timeIsOver = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([Promise.all(sessions.map(({ left }) => left)), timeIsOver]);
    for (const session of this.sessions.values()) session.drop('handed_over');
    this.cancelRenewal?.();
  }

  private async take(sid: Sid): Promise<void> {
    if (this.isFull) await this.letOneGo();
    if (this.isFull) return; // the sweep brings it back, here or elsewhere
    this.arriving += 1; // with the check before it in one turn of the event loop: many come at once
    let leased: LeasedSession | undefined;
    try {
      leased = await this.ports.store.takeLease(sid, this.ports.worker);
    } finally {
      this.arriving -= 1;
    }
    if (leased !== undefined) await this.hold(sid, leased);
  }

  private get isFull(): boolean {
    return this.sessions.size + this.arriving >= this.ports.maxHotSessions;
  }

  private async hold(sid: Sid, leased: LeasedSession): Promise<void> {
    const { meta, calls } = leased;
    const parsed = parseState(meta.state, { calls, historyVersion: meta.historyVersion });
    if (parsed.kind === 'newer') {
      this.ports.log.warn({ event: 'session.newer', sid, schema: parsed.schema });
      this.leaveToOthers(sid);
      return; // the lease ends by itself
    }
    if (parsed.kind === 'broken') this.ports.log.error({ event: 'session.broken', sid, err: parsed.cause });
    const state: SessionState = parsed.kind === 'state' ? parsed.state : { ...EMPTY_STATE, historyVersion: meta.historyVersion };
    const session = new HotSession(this.ports, leased, state);
    this.sessions.set(sid, session);
    void session.left.then((why) => this.forget(session, why));
    await session.start();
    if (this.isClosing) session.leave('handed_over');
  }

  private leaveToOthers(sid: Sid): void {
    if (this.leftToOthers.size >= MAX_LEFT_TO_OTHERS) this.leftToOthers.clear();
    this.leftToOthers.set(sid, this.ports.clock.now() + LEFT_TO_OTHERS_MS);
  }

  private forget(session: HotSession, why: Left): void {
    const { sid } = session.ref;
    this.sessions.delete(sid);
    // Another holds it, and is woken for nothing; or a store that was set back took the lease from everybody, and may have forgotten that there is work.
    if (why === 'fenced') void this.ports.wakes.wake(sid);
    if (why !== 'parked') return this.ports.log.info({ event: 'session.left', sid, why });
    // Whoever woke it while it was being let go of has been told that it is held here.
    if (session.hasWork)
      this.open(sid).catch((error: unknown) => this.ports.log.warn({ event: 'session.not_opened', sid, message: String(error) }));
  }

  /** The session that has been idle for longest makes room, if one is idle. */
  private async letOneGo(): Promise<void> {
    const idle = [...this.sessions.values()].filter(({ isHeld, isParkable, isLeaving }) => isHeld && isParkable && !isLeaving);
    const [oldest] = idle.sort((one, other) => one.activeAtMs - other.activeAtMs);
    if (oldest === undefined) return;
    oldest.leave('parked');
    await new Promise<void>((resolve) => {
      const cancel = this.ports.clock.after(MAKE_ROOM_MS, resolve);
      void oldest.left.then(() => {
        cancel();
        resolve();
      });
    });
  }

  private renewLater(): void {
    this.cancelRenewal = this.ports.clock.after(RENEW_MS, () => void this.renew());
  }

  private async renew(): Promise<void> {
    this.renewLater();
    const kept = [...this.sessions.values()].filter(({ isReleasing }) => !isReleasing);
    const leases = kept.map(({ ref, leaseFence }) => ({ sid: ref.sid, leaseFence }));
    if (leases.length === 0) return;
    try {
      const lost = new Set(await this.ports.store.renewLeases(leases));
      for (const session of kept) if (lost.has(session.ref.sid)) session.drop('fenced'); // meanwhile another may be held in its place
    } catch (error) {
      this.ports.log.warn({ event: 'leases.not_renewed', message: String(error) });
    }
  }
}
