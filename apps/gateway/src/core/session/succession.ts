import type { ChildSessions, Sid } from '@codelab/bus';
import type { SessionRoom } from './session-room.js';

/**
 * Gives sessions whose executor is gone to the next client that declared tools, so that an open question has somebody to run its call. An
 * executor has `graceMs` to come back: a network that drops, a gateway that restarts and a client that is started anew move nothing. One that
 * may still run a call keeps the session; the store has the last word on that, and on which of several successors comes first (R2).
 */
export class Succession {
  /** Since when the executor of a session has been looked for in vain. */
  private readonly goneSinceMs = new Map<Sid, number>();

  constructor(
    private readonly children: Pick<ChildSessions, 'present'>,
    private readonly graceMs: number,
  ) {}

  /** Call it about once a second, with all rooms. Never rejects. */
  async check(rooms: readonly SessionRoom[], nowMs: number): Promise<void> {
    const vacant = rooms.filter((room) => room.successor !== undefined);
    for (const sid of this.goneSinceMs.keys()) if (!vacant.some(({ ref }) => ref.sid === sid)) this.goneSinceMs.delete(sid);
    if (vacant.length === 0) return;
    try {
      const present = await this.children.present(vacant.map(({ ref }) => ref));
      vacant.forEach((room, index) => this.look(room, present[index] === true, nowMs));
    } catch {
      // the store is away: nobody can tell who is there
    }
  }

  private look(room: SessionRoom, isPresent: boolean, nowMs: number): void {
    const { sid } = room.ref;
    if (isPresent) return void this.goneSinceMs.delete(sid);
    const since = this.goneSinceMs.get(sid) ?? nowMs;
    this.goneSinceMs.set(sid, since);
    if (nowMs - since < this.graceMs) return;
    this.goneSinceMs.set(sid, nowMs); // where it still runs something, it is asked again after another grace
    room.successor?.succeed(room.executor);
  }
}
