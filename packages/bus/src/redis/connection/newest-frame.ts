import { createHash } from 'node:crypto';
import type { Sid } from '../../session-ref.js';
import type { Keys } from '../keys/keys.js';

/** A frame that a store has said it holds. */
export interface KnownFrame {
  readonly epoch: string;
  readonly seq: number;
  /** Its head as it is stored; absent where only its number is known. */
  readonly head?: string;
}

/**
 * The newest frame, of any session, that this process was told to be stored. What a store loses in a crash is the end of what it had written, so
 * one frame tells of all before it: a store that has lost this one has lost something, whatever it promises (`mark-store`).
 */
export class NewestFrame {
  private known: { readonly atMs: number; readonly sid: Sid; readonly frame: KnownFrame } | undefined;

  constructor(private readonly keys: Keys) {}

  /** @param atMs Redis' clock when it was heard of */
  note(atMs: number, sid: Sid, frame: KnownFrame): void {
    this.known = { atMs, sid, frame };
  }

  /** What `mark-store` compares: when, keys of meta and log, epoch, number, and the SHA-1 of the head or ''. Nothing where no frame is known. */
  get evidence(): readonly string[] {
    if (this.known === undefined) return [];
    const { atMs, sid, frame } = this.known;
    const { meta, log } = this.keys.session(sid);
    const digest = frame.head === undefined ? '' : createHash('sha1').update(frame.head).digest('hex');
    return [atMs.toFixed(0), meta, log, frame.epoch, String(frame.seq), digest];
  }
}
