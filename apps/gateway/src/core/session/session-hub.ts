import type { ChildSessions, SessionFeed, SessionMeta, SessionRef, SessionSignal, SessionDeliveries, Sid } from '@codelab/bus';
import type { GatewayStats } from '../stats.js';
import type { OutputMasks } from '../handlers/output-masks.js';
import { Presence } from './presence.js';
import { SessionRoom, type Member } from './session-room.js';
import { Succession } from './succession.js';

/** How often it is said again whose executor is here. */
const PRESENCE_REPEAT_MS = 5_000;
/** How often the lists of children are looked at, for those of which no word came. */
const CHILDREN_COMPARE_MS = 10_000;

/** The sessions that this process watches: one feed per session, however many connections it has, and none without one. */
export class SessionHub {
  private readonly rooms = new Map<Sid, SessionRoom>();
  private readonly presence: Presence;
  private readonly succession: Succession;
  /** Rooms whose children were never looked at; all of one moment are read together. */
  private fresh: SessionRoom[] = [];
  private saidAtMs = 0;
  private comparedAtMs = 0;

  constructor(
    private readonly store: SessionDeliveries,
    private readonly feed: SessionFeed,
    private readonly stats: GatewayStats,
    private readonly children: Pick<ChildSessions, 'announce' | 'leave' | 'of' | 'present'>,
    private readonly masks: Pick<OutputMasks, 'forget'>,
    executorGraceMs: number,
  ) {
    this.presence = new Presence(children);
    this.succession = new Succession(children, executorGraceMs);
  }

  /** Says again what others forget, and looks for what was not heard. Call it about once a second. */
  check(nowMs: number): void {
    void this.succession.check([...this.rooms.values()], nowMs);
    if (nowMs - this.saidAtMs >= PRESENCE_REPEAT_MS) {
      this.saidAtMs = nowMs;
      this.presence.repeat();
    }
    if (nowMs - this.comparedAtMs < CHILDREN_COMPARE_MS) return;
    this.comparedAtMs = nowMs;
    void this.lookAtChildren([...this.rooms.values()].filter(({ isChild }) => !isChild));
  }

  /** Who is connected to a session is another one now. */
  onMembers(room: SessionRoom): void {
    if (!room.isChild) this.presence.set(room.ref, room.hasExecutor);
  }

  /**
   * Adds a connection. Resolves when the feed stands; what is read from the store afterwards joins the feed without a gap, if the reader
   * goes on until it has reached the position of the room (G3). Rejects with `BusError`; nothing is left behind then.
   * @param meta the session as the store described it when the connection joined
   */
  async enter(ref: SessionRef, meta: SessionMeta, member: Member): Promise<SessionRoom> {
    const room = this.rooms.get(ref.sid) ?? this.open(ref, meta);
    room.enter(member, meta.executor);
    try {
      await room.subscription;
      return room;
    } catch (error) {
      this.leave(room, member);
      throw error;
    }
  }

  /** Removes a connection; the last one takes the feed with it. */
  leave(room: SessionRoom, member: Member): void {
    room.leave(member);
    if (this.rooms.get(room.ref.sid) !== room || room.size > 0) return;
    this.rooms.delete(room.ref.sid);
    this.stats.rooms = this.rooms.size;
    this.masks.forget(room.ref.sid);
    room.subscription.then(
      (subscription) => subscription.close().catch(() => {}), // the feed is gone with its connection
      () => {}, // it never stood; whoever waited for it was told
    );
  }

  /** Tells every gateway about a session. Never fails: a signal is a hint. */
  publish(ref: SessionRef, signal: SessionSignal): void {
    this.store.signal(ref, signal).catch(() => {});
  }

  private open(ref: SessionRef, meta: SessionMeta): SessionRoom {
    const room = new SessionRoom(ref, meta, this);
    room.subscription = this.feed.subscribe(ref, { epoch: meta.epoch, seq: meta.seq }, (event) => room.receive(event));
    this.rooms.set(ref.sid, room);
    this.stats.rooms = this.rooms.size;
    if (!room.isChild) this.lookSoon(room);
    return room;
  }

  private lookSoon(room: SessionRoom): void {
    this.fresh.push(room);
    if (this.fresh.length > 1) return;
    queueMicrotask(() => {
      const { fresh } = this;
      this.fresh = [];
      void this.lookAtChildren(fresh);
    });
  }

  private async lookAtChildren(rooms: readonly SessionRoom[]): Promise<void> {
    if (rooms.length === 0) return;
    try {
      const lists = await this.children.of(rooms.map(({ ref }) => ref));
      rooms.forEach((room, index) => room.showChildren(lists[index] ?? []));
    } catch {
      // the store is away: they are looked at again
    }
  }
}
