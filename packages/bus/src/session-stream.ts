import type { Envelope } from '@codelab/protocol';
import type { LoggedFrame, SessionSignal } from './session-records.js';
import type { SessionRef } from './session-ref.js';

/** A place in the log of a session: after frame `seq` of the life `epoch`. */
export interface Position {
  readonly epoch: string;
  readonly seq: number;
}

/** What comes next in a stream. */
export type StreamEvent =
  /** Frames that follow the position without a gap; none where the log was read and had none. */
  | { readonly kind: 'logged'; readonly frames: readonly LoggedFrame[]; readonly fromLog: boolean }
  /** Frames were trimmed before they were read, or the log began a new life (`epoch` '': it is gone): only a snapshot helps. */
  | { readonly kind: 'reset'; readonly epoch: string; readonly seq: number }
  /** `wake` was called. */
  | { readonly kind: 'woken' }
  /** Nothing comes any more. */
  | { readonly kind: 'closed' };

/**
 * One reader's way through the log of a session: every frame after its position, once and in order, whatever announcements are lost (G3). It
 * is pulled: a reader that keeps up gets the frames that all readers of the session share, one that is slow reads the log at its own pace, and
 * what is held for it is bounded (G4).
 */
export interface SessionStream {
  /** What comes next; waits for it, and for Redis while it is away. One call at a time. */
  next(): Promise<StreamEvent>;
  /** The same, from the log, now: without frames where there are none. Rejects with `BusError`. */
  read(): Promise<StreamEvent>;
  /** Somebody said that the session was deleted, and nothing since that it is there. */
  readonly wasRemoved: boolean;
  /** Something is known to come: `next` will not wait, but for Redis. */
  readonly hasMore: boolean;
  /** Hears when something may have come, for a reader that does not wait in `next`: a wait takes memory as long as nothing is said. */
  listener: { onNews(): void } | undefined;
  /** A frame of the log that came by another way. It takes its place in the order. */
  offer(frame: LoggedFrame): void;
  /** The log has more than was announced. */
  expectMore(): void;
  /** Goes on at another position: a former one, or one that was read from the store after the stream was opened. */
  seek(position: Position): void;
  /** Lets `next` answer `woken`. */
  wake(): void;
  close(): void;
}

/** What is said in a session outside of its log, to whoever listens at that moment. */
export type Aside = { readonly kind: 'relayed'; readonly frame: Envelope } | { readonly kind: 'signal'; readonly signal: SessionSignal };

/** Who hears them. A signal may be lost: who wants to know the executor all the same is shown what the store says of it, every 2 s. */
export interface AsideListener {
  receive(aside: Aside): void;
  /** How often it has learned who executes. */
  readonly heardOfExecutor?: number;
  /** @param heard `heardOfExecutor` when the store was asked: what was learned since is newer */
  showExecutor?(executor: string, heard: number): void;
}

/** What sessions say. A process has one subscription for each session, shared by its readers and listeners. */
export interface SessionStreams {
  /** Resolves when the subscription stands, so that nothing after `from` is missed. Rejects with `BusError`. */
  open(ref: SessionRef, from: Position): Promise<SessionStream>;
  /** Hears what is said outside of the log until `unlisten`. Resolves when the subscription stands; rejects with `BusError`. */
  listen(ref: SessionRef, listener: AsideListener): Promise<void>;
  unlisten(ref: SessionRef, listener: AsideListener): void;
  close(): Promise<void>;
}
