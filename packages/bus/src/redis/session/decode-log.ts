import type { FrameHead } from '@codelab/protocol';
import type { LoggedFrame } from '../../session-records.js';

/** Frames as `XRANGE` answers them; `undefined`: one of them was written by a release that kept no heads. */
export function decodeLog(reply: unknown): readonly LoggedFrame[] | undefined {
  const frames: LoggedFrame[] = [];
  for (const [id, [, text = '', , head]] of reply as readonly (readonly [string, readonly string[]])[]) {
    if (head === undefined) return undefined;
    frames.push({ seq: Number.parseInt(id, 10), head: JSON.parse(head) as FrameHead, text });
  }
  return frames;
}

/** A frame of the log as the scripts splice it. */
export const loggedFrame = (seq: number, head: FrameHead, text: string): LoggedFrame => ({
  seq,
  head,
  text: `{"seq":${String(seq)},${text.slice(1)}`,
});
