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

/** An inbox entry that a store has said it holds, or held: its number is never given again in the same epoch. */
export interface KnownEntry {
  readonly epoch: string;
  readonly entry: number;
}

/** `atMs`: Redis' clock when it was heard of. */
interface Known<Write> {
  readonly atMs: number;
  readonly sid: Sid;
  readonly write: Write;
}

/**
 * The newest frame and the newest inbox entry, of any session, that this process was told to be stored. What a store loses in a crash is the end
 * of what it had written, so the last one tells of all before it: a store that has lost one of them has lost something, whatever it promises
 * (`mark-store`). A frame alone is not enough: a result that a client was told is accepted leaves none before a runtime has read it.
 */
export class NewestWrites {
  private frame: Known<KnownFrame> | undefined;
  private entry: Known<KnownEntry> | undefined;

  constructor(private readonly keys: Keys) {}

  noteFrame(atMs: number, sid: Sid, write: KnownFrame): void {
    this.frame = { atMs, sid, write };
  }

  noteEntry(atMs: number, sid: Sid, write: KnownEntry): void {
    this.entry = { atMs, sid, write };
  }

  /**
   * What `mark-store` compares. Of the frame: when, keys of meta and log, epoch, number, and the SHA-1 of the head or ''; of the entry: when, key of
   * meta, epoch, number. '' stands for when where none is known.
   */
  get evidence(): readonly string[] {
    return [...this.ofFrame(), ...this.ofEntry()];
  }

  private ofFrame(): readonly string[] {
    if (this.frame === undefined) return ['', '', '', '', '', ''];
    const { atMs, sid, write } = this.frame;
    const { meta, log } = this.keys.session(sid);
    const digest = write.head === undefined ? '' : createHash('sha1').update(write.head).digest('hex');
    return [atMs.toFixed(0), meta, log, write.epoch, String(write.seq), digest];
  }

  private ofEntry(): readonly string[] {
    if (this.entry === undefined) return ['', '', '', ''];
    const { atMs, sid, write } = this.entry;
    return [atMs.toFixed(0), this.keys.session(sid).meta, write.epoch, String(write.entry)];
  }
}
