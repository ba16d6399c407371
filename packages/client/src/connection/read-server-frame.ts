import { decodeServerFrame, type ServerFrame } from '@codelab/protocol';

/** A message from the gateway: a frame that this release knows, or the number of one that a newer server wrote into the log. */
export type Incoming =
  { readonly kind: 'frame'; readonly frame: ServerFrame } | { readonly kind: 'unknown'; readonly seq?: number; readonly prev_seq?: number };

const integer = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? (value as number) : undefined);

/** Reads a message. What is not known is no fault, but its number still counts, or the next frame would look like a gap. */
export function readServerFrame(text: string): Incoming {
  const frame = decodeServerFrame(text);
  if (frame !== undefined) return { kind: 'frame', frame };
  try {
    const { seq, prev_seq } = JSON.parse(text) as { seq?: unknown; prev_seq?: unknown };
    const [number, before] = [integer(seq), integer(prev_seq)];
    return { kind: 'unknown', seq: number, prev_seq: before };
  } catch {
    return { kind: 'unknown' }; // not JSON, or null: nothing that a client could use or answer
  }
}
