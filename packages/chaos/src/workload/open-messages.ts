import type { ChaosEvent, ChaosFrame, ObserverRole } from '../recording/chaos-event.js';

/** Whose messages belong to the session that they are said in. */
const PEOPLE: ReadonlySet<ObserverRole> = new Set(['executor', 'successor', 'watcher', 'raw']);

/** The message that a frame answers for good, if it does. */
const answeredBy = (frame: ChaosFrame): unknown => {
  if (frame.type === 'message_accepted') return frame['message_id'];
  const isRefused = frame.type === 'error' && frame['reply_to_type'] === 'user_message' && frame['retryable'] !== true;
  return isRefused ? frame['reply_to'] : undefined;
};

/** Messages that people have said and that nobody has answered yet: their turns are still to come. A process that dies takes its own along. */
export class OpenMessages {
  private readonly sessions = new Map<string, string>();
  private readonly open = new Map<string, Set<unknown>>();

  /** Takes what happened next. */
  take(event: ChaosEvent): void {
    if (event.kind === 'observer' && PEOPLE.has(event.role)) this.sessions.set(event.observer, event.session);
    if (event.kind === 'process' && event.what === 'exited')
      for (const observer of this.open.keys()) if (observer.startsWith(`${event.name}/`)) this.open.delete(observer);
    if (event.kind !== 'frame' || !this.sessions.has(event.observer)) return;
    const own = this.open.get(event.observer) ?? new Set();
    this.open.set(event.observer, own);
    if (event.direction === 'in') own.delete(answeredBy(event.frame));
    else if (event.frame.type === 'user_message' && event.frame['message_id'] !== undefined) own.add(event.frame['message_id']);
  }

  /** Whether some are open in a session. */
  areIn(session: string): boolean {
    return [...this.open].some(([observer, own]) => own.size > 0 && this.sessions.get(observer) === session);
  }
}
