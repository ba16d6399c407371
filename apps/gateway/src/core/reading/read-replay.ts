import type { LoggedFrame, SessionCalls, SessionReads, SessionRef } from '@codelab/bus';
import { isOpen } from '../delivery/present-call.js';

/** A place in the log of a session. */
export interface Position {
  readonly epoch: string;
  readonly seq: number;
}

/** Frames after a position, or the news that only a snapshot helps. */
export type ReplayRead =
  | {
      readonly kind: 'frames';
      readonly frames: readonly LoggedFrame[];
      /** The calls that are still open, if any frame is a call: the others must not be run again. */
      readonly openCalls: ReadonlySet<string> | undefined;
    }
  | { readonly kind: 'gone' };

/**
 * Reads the log after a position, all of it or nothing (G3).
 * @param maxCharacters a longer replay counts as gone: a snapshot is smaller
 */
export async function readReplay(
  store: SessionCalls & SessionReads,
  ref: SessionRef,
  position: Position,
  maxCharacters: number,
): Promise<ReplayRead> {
  const replay = await store.replay(ref, position);
  if (replay.kind === 'gone') return { kind: 'gone' };
  const characters = replay.frames.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > maxCharacters) return { kind: 'gone' };
  const { frames } = replay;
  const openCalls = frames.some(({ head }) => head.type === 'tool_call') ? await readOpenCalls(store, ref) : undefined;
  return { kind: 'frames', frames, openCalls };
}

const readOpenCalls = async (store: SessionCalls, ref: SessionRef): Promise<ReadonlySet<string>> =>
  new Set((await store.readCalls(ref.sid)).filter(isOpen).map(({ callId }) => callId));
