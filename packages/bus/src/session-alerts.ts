import type { InboxEntry } from './session-records.js';
import type { Sid } from './session-ref.js';

/** What the holder of a lease hears at once. `entry` is absent where it was too large for an announcement, or one was lost: read the inbox. */
export interface Alert {
  readonly entry?: InboxEntry;
  /** The store was away: whatever else was announced meanwhile is lost, too. */
  readonly restored?: true;
  /** The inbox has fewer entries than were told of: the store was set back. */
  readonly setBack?: true;
}

/** Announcements to the holder of a lease. Hints: what counts is the inbox. */
export interface SessionAlerts {
  /** Listens for inbox entries; resolves when the subscription stands. */
  watch(sid: Sid, listener: (alert: Alert) => void): Promise<void>;
  unwatch(sid: Sid): Promise<void>;
  close(): Promise<void>;
}
