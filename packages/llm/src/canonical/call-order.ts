import type { StreamPart } from './stream-part.js';

/** A part that belongs to a call. */
type CallPart = Extract<StreamPart, { kind: 'tool_call_start' | 'tool_call_delta' | 'tool_call_end' }>;

interface HeldCall {
  readonly parts: CallPart[];
  ended: boolean;
}

/**
 * Puts calls one after another (F3): the first one that began goes out as it comes, those behind it are held until it has ended. Nothing
 * is lost; parts of a call that has ended are left out.
 */
export class CallOrder {
  /** The calls that began, in order; those before `open` have gone out. */
  private readonly calls: HeldCall[] = [];
  private open = 0;

  /** Takes a part and gives those that go out now. */
  *add(part: CallPart): Generator<CallPart, void, undefined> {
    const { index } = part;
    if (index < this.open) return;
    const call = (this.calls[index] ??= { parts: [], ended: false });
    if (call.ended) return;
    call.ended = part.kind === 'tool_call_end';
    if (index === this.open) yield part;
    else call.parts.push(part);
    if (index === this.open && call.ended) yield* this.next();
  }

  /** The answer has ended, and with it every call: gives what is held. */
  *end(): Generator<CallPart, void, undefined> {
    for (let index = this.open; index < this.calls.length; index = Math.max(index + 1, this.open)) {
      yield* this.add({ kind: 'tool_call_end', index });
    }
  }

  private *next(): Generator<CallPart, void, undefined> {
    for (;;) {
      this.open += 1;
      const call = this.calls[this.open];
      if (!call) return;
      yield* call.parts.splice(0);
      if (!call.ended) return;
    }
  }
}
