import type { Sid } from '@codelab/bus';
import type { ClientFrameOf } from '@codelab/protocol';
import { SecretStream } from '@codelab/tools';

/** Streams that are followed at the same time; each keeps back at most the length of a private key. */
const MAX_STREAMS = 512;

const NOTHING_ALLOWED: ReadonlySet<string> = new Set();
const STREAMS = ['stdout', 'stderr'] as const;

/** A piece of output that may be shown. */
export interface MaskedPiece {
  readonly stream: (typeof STREAMS)[number];
  /** Bytes of the masked stream before `data`. */
  readonly offset: number;
  readonly data: string;
}

interface Followed {
  readonly secrets: SecretStream;
  /** Where the next piece begins, as the executor counts. */
  expected: number;
  /** Bytes that were given out, and where the first of them stood. */
  given: number;
}

/**
 * Masks secrets in the output of running tools before anybody else sees it (L1), also those that are cut by two pieces: the end of a piece
 * waits for the next one, or for the result. Of streams over the bound the one that was silent longest loses what it kept back.
 */
export class OutputMasks {
  private readonly followed = new Map<string, Followed>();

  /** What may be shown now, if anything. A piece that does not go on where the last one ended begins anew. */
  push(sid: Sid, { call_id: callId, stream, offset, data }: Pick<ClientFrameOf<'tool_output'>, 'call_id' | 'stream' | 'offset' | 'data'>) {
    const key = keyOf(sid, callId, stream);
    const known = this.followed.get(key);
    const followed = known?.expected === offset ? known : begin(offset);
    followed.expected = offset + Buffer.byteLength(data);
    this.followed.delete(key);
    this.followed.set(key, followed);
    this.forgetOldest();
    return toPiece(stream, followed, followed.secrets.push(data));
  }

  /** What was kept back of a call's output; nothing more comes of it. */
  end(sid: Sid, callId: string): readonly MaskedPiece[] {
    return STREAMS.flatMap((stream) => {
      const key = keyOf(sid, callId, stream);
      const followed = this.followed.get(key);
      this.followed.delete(key);
      const piece = followed === undefined ? undefined : toPiece(stream, followed, followed.secrets.end());
      return piece === undefined ? [] : [piece];
    });
  }

  /** Nobody here watches the session any more: what was kept back of its streams is gone with it. */
  forget(sid: Sid): void {
    for (const key of this.followed.keys()) if (key.startsWith(`${sid} `)) this.followed.delete(key);
  }

  /** Streams that are followed now. */
  get size(): number {
    return this.followed.size;
  }

  private forgetOldest(): void {
    for (const key of this.followed.keys()) {
      if (this.followed.size <= MAX_STREAMS) return;
      this.followed.delete(key);
    }
  }
}

const keyOf = (sid: Sid, callId: string, stream: string): string => `${sid} ${stream} ${callId}`;

const begin = (offset: number): Followed => ({ secrets: new SecretStream(NOTHING_ALLOWED), expected: offset, given: offset });

const toPiece = (stream: MaskedPiece['stream'], followed: Followed, data: string): MaskedPiece | undefined => {
  if (data === '') return undefined;
  const offset = followed.given;
  followed.given += Buffer.byteLength(data);
  return { stream, offset, data };
};
