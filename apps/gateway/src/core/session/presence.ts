import type { ChildSessions, SessionRef, Sid } from '@codelab/bus';

/**
 * Which sessions have their executor connected to this process, told to the others, so that programs find them. Said again as long as it is
 * so; a word that is lost is made up for by the next one, and one that nobody repeats is forgotten.
 */
export class Presence {
  private readonly present = new Map<Sid, SessionRef>();

  constructor(private readonly children: Pick<ChildSessions, 'announce' | 'leave'>) {}

  /** Whether the executor of a session is connected here now. */
  set(ref: SessionRef, isPresent: boolean): void {
    if (this.present.has(ref.sid) === isPresent) return;
    if (isPresent) this.present.set(ref.sid, ref);
    else this.present.delete(ref.sid);
    const said = isPresent ? this.children.announce([ref]) : this.children.leave(ref);
    said.catch(() => undefined); // the store is away: it is said again, or runs out
  }

  /** Call it well within `PRESENCE_MS`. */
  repeat(): void {
    this.children.announce([...this.present.values()]).catch(() => undefined);
  }
}
