import type { SessionFeed, SessionMeta, SessionRef, SessionStore, Sid } from '@codelab/bus';
import type { GatewayStats } from '../stats.js';
import { encodeNotice, type Notice } from './notice.js';
import { SessionRoom, type Member } from './session-room.js';

/** The sessions that this process watches: one feed per session, however many connections it has, and none without one. */
export class SessionHub {
  private readonly rooms = new Map<Sid, SessionRoom>();

  constructor(
    private readonly store: Pick<SessionStore, 'relay'>,
    private readonly feed: SessionFeed,
    private readonly stats: GatewayStats,
  ) {}

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
    room.subscription.then(
      (subscription) => subscription.close().catch(() => {}), // the feed is gone with its connection
      () => {}, // it never stood; whoever waited for it was told
    );
  }

  /** Tells every gateway about a session. Never fails: a notice is a hint. */
  publish(ref: SessionRef, notice: Notice): void {
    this.store.relay(ref, encodeNotice(notice)).catch(() => {});
  }

  private open(ref: SessionRef, meta: SessionMeta): SessionRoom {
    const room = new SessionRoom(ref, meta, this);
    room.subscription = this.feed.subscribe(ref, { epoch: meta.epoch, seq: meta.seq }, (event) => room.receive(event));
    this.rooms.set(ref.sid, room);
    this.stats.rooms = this.rooms.size;
    return room;
  }
}
