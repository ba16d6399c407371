import { encodeFrame } from './encode-frame.js';
import type { ServerFrame, ServerFrameOf, ServerFrameType } from './frames/index.js';

/** The fields that routing and delivery of a frame depend on, beside its type. */
const HEAD_FIELDS = {
  tool_call: ['call_id', 'tool_name', 'fence', 'idempotency', 'state', 'runs_at', 'traceparent'],
  approval_updated: ['call_id'],
  approval_resolved: ['call_id', 'outcome'],
  tool_cancel: ['call_id'],
  tool_status: ['call_id'],
  tool_output: ['call_id', 'stream'],
  turn_started: ['turn_id'],
  turn_ended: ['turn_id', 'status'],
} as const satisfies { readonly [Type in ServerFrameType]?: readonly (keyof ServerFrameOf<Type>)[] };

type HeadFields = typeof HEAD_FIELDS;

type Heads = {
  readonly [Type in ServerFrameType]: { readonly type: Type } & (Type extends keyof HeadFields
    ? Readonly<Pick<ServerFrameOf<Type>, Extract<HeadFields[Type][number], keyof ServerFrameOf<Type>>>>
    : unknown);
};

/** What servers need to know of a frame: written once, by whoever makes the frame, so that nobody reads it back out of the text. */
export type FrameHead = Heads[ServerFrameType];
export type FrameHeadOf<Type extends ServerFrameType> = Heads[Type];

/** A frame between two servers. */
export interface Envelope {
  readonly head: FrameHead;
  /** The frame as JSON text. */
  readonly text: string;
}

/** The head of a frame. */
export function headOf(frame: ServerFrame): FrameHead {
  const names: readonly string[] = HEAD_FIELDS[frame.type as keyof HeadFields] ?? [];
  const fields = frame as unknown as Readonly<Record<string, unknown>>;
  const head: Record<string, unknown> = { type: frame.type };
  for (const name of names) head[name] = fields[name];
  return head as unknown as FrameHead; // the table names fields of this type of frame only
}

/** A frame of ours, ready to be stored or passed on. */
export const toEnvelope = (frame: ServerFrame): Envelope => ({ head: headOf(frame), text: encodeFrame(frame) });
