import { Queue } from '../../../stream/queue.js';
import type { StreamPart } from '../../../canonical/stream-part.js';

type Content = Exclude<StreamPart, { kind: 'finish' }>;

/** Something that makes a block of its own: a call, or what is said between two calls. */
interface Segment {
  /** The number of the call; `undefined`: text and thoughts. */
  readonly call: number | undefined;
  readonly parts: Content[];
  ended: boolean;
}

/**
 * Puts the parts of an answer in an order in which no two blocks are open at once (ST4): a call goes out as it comes, and what begins
 * behind it is held until it has ended. Nothing is lost, and all of it keeps the order in which it began.
 */
export class BlockOrder {
  /** What has not gone out. The first one is open: its parts don't wait. */
  private readonly segments = new Queue<Segment>();
  /** The calls that have not ended, by their numbers. */
  private readonly calls = new Map<number, Segment>();

  /** Takes a part and gives those that go out now. */
  *add(part: Content): Generator<Content, void, undefined> {
    const call = 'index' in part ? part.index : undefined;
    const open = this.segments.first;
    if (call === undefined && open === undefined) {
      yield part;
      return;
    }
    const segment = this.find(part, call);
    if (segment === undefined) return;
    if (part.kind === 'tool_call_end') {
      segment.ended = true;
      this.calls.delete(part.index);
    }
    if (segment !== this.segments.first) segment.parts.push(part);
    else yield part;
    if (segment.ended) yield* this.next();
  }

  /** The answer has ended, and with it every call: gives what is held. */
  *end(): Generator<Content, void, undefined> {
    for (const { call, ended } of this.segments.all) {
      if (call !== undefined && !ended) yield* this.add({ kind: 'tool_call_end', index: call });
    }
  }

  private find(part: Content, call: number | undefined): Segment | undefined {
    const last = this.segments.last;
    if (call === undefined && last?.call === undefined) return last;
    if (call === undefined || part.kind === 'tool_call_start') {
      const segment: Segment = { call, parts: [], ended: call === undefined };
      this.segments.add(segment);
      if (call !== undefined) this.calls.set(call, segment);
      return segment;
    }
    return this.calls.get(call);
  }

  private *next(): Generator<Content, void, undefined> {
    while (this.segments.first?.ended) {
      this.segments.drop();
      for (const part of this.segments.first?.parts.splice(0) ?? []) yield part;
    }
  }
}
