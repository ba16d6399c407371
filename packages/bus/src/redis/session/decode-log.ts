import type { LoggedFrame } from '../../session-records.js';

/** Frames as `XRANGE` answers them. */
export const decodeLog = (reply: unknown): readonly LoggedFrame[] =>
  (reply as readonly (readonly [string, readonly string[]])[]).map(([id, fields]) => ({
    seq: Number.parseInt(id, 10),
    text: fields[1] ?? '',
  }));

/** The text of a frame in the log, as the scripts splice it. */
export const loggedFrame = (seq: number, frame: string): LoggedFrame => ({ seq, text: `{"seq":${String(seq)},${frame.slice(1)}` });
