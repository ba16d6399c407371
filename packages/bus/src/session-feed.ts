import type { Envelope } from '@codelab/protocol';
import type { LoggedFrame, SessionSignal } from './session-records.js';
import type { SessionRef } from './session-ref.js';

/** What a feed brings: frames of the log in order, frames outside of it, or the news that only a snapshot helps. */
export type FeedEvent =
  | { readonly kind: 'logged'; readonly epoch: string; readonly frames: readonly LoggedFrame[] }
  | { readonly kind: 'relayed'; readonly frame: Envelope }
  | { readonly kind: 'signal'; readonly signal: SessionSignal }
  /** Frames were trimmed before they were read, or the log began a new life. */
  | { readonly kind: 'reset'; readonly epoch: string; readonly seq: number };

/** Reads what a session says, as long as somebody listens. */
export interface FeedSubscription {
  close(): Promise<void>;
}

/**
 * Frames of sessions, to gateways. Each subscriber gets every frame after its position once and in order, whatever announcements are lost:
 * it subscribes first, then reads; it compares again after each (re)subscription, on each `ready` of the connection, and every 2 s (G3).
 */
export interface SessionFeed {
  subscribe(
    ref: SessionRef,
    position: { readonly epoch: string; readonly seq: number },
    listener: (event: FeedEvent) => void,
  ): Promise<FeedSubscription>;
  close(): Promise<void>;
}
