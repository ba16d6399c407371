import type { ChildSessions, SessionDeliveries, SessionMeta, SessionRef, SessionSignal, SessionStreams, Sid } from '@codelab/bus';
import type { GatewayStats } from '../stats.js';
import type { OutputMasks } from '../handlers/output-masks.js';
import { SessionRoom } from './session-room.js';
import { Succession } from './succession.js';

/** How often it is said again whose executor is here. */
const PRESENCE_REPEAT_MS = 5_000;
/** How often the lists of children are looked at, for those of which no word came. */
const CHILDREN_COMPARE_MS = 10_000;

/** A session as the store described it. */
export interface FoundSession {
  readonly ref: SessionRef;
  readonly meta: SessionMeta;
  /** `SessionRoom.heardOfExecutor` when the store was asked: what was learned since is newer. */
  readonly heard: number;
}

/** The sessions that this process watches: one subscription per session, however many connections it has, and none without one. */
export class SessionHub {
  private readonly rooms = new Map<Sid, SessionRoom>();
  private readonly succession: Succession;
  /** Rooms whose children were never looked at; all of one moment are read together. */
  private fresh: SessionRoom[] = [];
  private saidAtMs = 0;
  private comparedAtMs = 0;

  constructor(
    private readonly store: Pick<SessionDeliveries, 'signal'>,
    private readonly streams: Pick<SessionStreams, 'listen' | 'unlisten'>,
    private readonly stats: GatewayStats,
    private readonly children: Pick<ChildSessions, 'announce' | 'leave' | 'of' | 'present'>,
    private readonly masks: Pick<OutputMasks, 'forget'>,
    executorGraceMs: number,
  ) {
    this.succession = new Succession(children, executorGraceMs);
  }

  /**
   * Says again what others forget, and looks for what was not heard. Call it about once a second.
   * @param nowMs by a steady clock: one that is set ahead and back would stop all of this for as long
   */
  check(nowMs: number): void {
    void this.succession.check(this.all, nowMs);
    for (const room of this.rooms.values()) room.checkNewest(nowMs);
    if (nowMs - this.saidAtMs >= PRESENCE_REPEAT_MS) {
      this.saidAtMs = nowMs;
      const present = this.all.filter(({ isAnnounced }) => isAnnounced).map(({ ref }) => ref);
      this.children.announce(present).catch(() => undefined); // within PRESENCE_MS, or it is forgotten
    }
    if (nowMs - this.comparedAtMs < CHILDREN_COMPARE_MS) return;
    this.comparedAtMs = nowMs;
    void this.lookAtChildren(this.all.filter(({ isChild }) => !isChild));
  }

  /**
   * Who is connected to a session is another one now. Other processes are told whether its executor is here, so that programs find it; a word
   * that is lost is made up for by the next repetition.
   */
  onMembers(room: SessionRoom): void {
    const isPresent = !room.isChild && room.hasExecutor;
    if (isPresent === room.isAnnounced) return;
    room.isAnnounced = isPresent;
    const said = isPresent ? this.children.announce([room.ref]) : this.children.leave(room.ref);
    said.catch(() => undefined); // the store is away: it is said again, or runs out
  }

  /** Reads a session that is about to be opened, or joins it: see {@link open}. */
  async find(ref: SessionRef, reading: Promise<SessionMeta | undefined>): Promise<FoundSession | undefined> {
    const heard = this.rooms.get(ref.sid)?.heardOfExecutor ?? 0;
    const meta = await reading;
    return meta && { ref, meta, heard };
  }

  /**
   * The room of a session, which this process follows from then on; call `close` for each `open`. Rejects with `BusError`; nothing is left
   * behind then.
   */
  async open({ ref, meta, heard }: FoundSession): Promise<SessionRoom> {
    const room = this.rooms.get(ref.sid) ?? this.create(ref, meta);
    room.users += 1;
    room.showExecutor(meta.executor, heard);
    try {
      await room.listening;
      room.listening = undefined;
      return room;
    } catch (error) {
      this.close(room);
      throw error;
    }
  }

  /** One user of the room is gone; the last one takes the subscription with it. */
  close(room: SessionRoom): void {
    const { sid } = room.ref;
    if (this.rooms.get(sid) !== room) return;
    room.users -= 1;
    if (room.users > 0) return;
    this.rooms.delete(sid);
    this.stats.rooms = this.rooms.size;
    this.masks.forget(sid);
    this.streams.unlisten(room.ref, room);
  }

  /** Tells every gateway about a session. Never rejects, since a signal is a hint: `false` where the store did not take it. */
  publish(ref: SessionRef, signal: SessionSignal): Promise<boolean> {
    return this.store.signal(ref, signal).then(
      () => true,
      () => false,
    );
  }

  private create(ref: SessionRef, meta: SessionMeta): SessionRoom {
    const room = new SessionRoom(ref, meta, this);
    room.listening = this.streams.listen(ref, room);
    this.rooms.set(ref.sid, room);
    this.stats.rooms = this.rooms.size;
    if (!room.isChild) this.lookSoon(room);
    return room;
  }

  private get all(): readonly SessionRoom[] {
    return [...this.rooms.values()];
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
