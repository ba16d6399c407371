import { LlmError } from '../../../errors/llm-error.js';
import type { StreamPart } from '../../../canonical/stream-part.js';
import type { ToolNames } from '../../../names/tool-names.js';
import { UniqueNames } from '../../../names/unique-names.js';
import { CallArguments } from './call-arguments.js';
import { CallFinder } from './call-finder.js';
import { asObject, asText } from '../../../json/read-json.js';

interface Call {
  /** What the provider numbered it, if it did. */
  readonly wireIndex: number | undefined;
  id: string | undefined;
  name: string;
  readonly arguments: CallArguments;
  /** Our number, from the moment it started. */
  index: number | undefined;
  ended: boolean;
}

/** One `delta.tool_calls[n]`, read without trust. */
interface Delta {
  readonly wireIndex: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly arguments: string;
}

/**
 * Tells which call a fragment belongs to, where providers leave it open: no index, an index used for every call, an id or a name
 * in each fragment, in a later one or in none, fragments of two calls by turns.
 *
 * A call ends when the answer does, whether or not its text parses already; it ends before only when another one begins and its text is
 * a whole object with something in it, which no more text could make into other JSON. Until then nothing of the text is dropped.
 */
export class ToolCallTracker {
  private readonly calls: Call[] = [];
  private readonly finder = new CallFinder<Call>();
  private readonly names: ToolNames | undefined;
  private readonly ids = new UniqueNames();
  private active: Call | undefined;
  private started = 0;
  /** The provider sends names whole: a call starts as soon as it has one. */
  wholeNames = false;

  /** @param names knows the declared tools: a call of one of them starts as soon as its name is there. */
  constructor(names?: ToolNames) {
    this.names = names;
  }

  /** Whether any call was seen. */
  get any(): boolean {
    return this.calls.length > 0;
  }

  /** Takes one fragment and gives what can go out now. */
  *add(fragment: unknown): Iterable<StreamPart> {
    const delta = readDelta(fragment);
    const found = this.find(delta);
    const call = found ?? this.open(delta);
    if (call !== this.active && this.active) yield* this.leave(this.active, found === undefined);
    this.active = call;
    if (call.ended) return;
    if (call.id === undefined && delta.id !== undefined) {
      call.id = delta.id;
      this.finder.addId(call);
    }
    if (delta.name !== undefined && call.index === undefined && delta.name !== call.name) call.name += delta.name;
    call.arguments.add(delta.arguments);
    yield* this.flush(call, !call.arguments.isEmpty || this.wholeNames || this.names?.knows(call.name) === true);
  }

  /** Gives what is left at the end of the answer, and ends every call. Throws `stream_interrupted` for a call without a name. */
  *end(): Iterable<StreamPart> {
    for (const call of this.calls) {
      yield* this.flush(call, true);
      if (call.index === undefined) throw new LlmError('stream_interrupted', 'The model called a tool without naming it.');
    }
    const ended = new Set(this.calls.flatMap((call) => (call.ended ? [call.index] : [])));
    for (let index = 0; index < this.started; index++) if (!ended.has(index)) yield { kind: 'tool_call_end', index };
  }

  /** The fragments go on with another call. */
  private *leave(call: Call, forNewOne: boolean): Iterable<StreamPart> {
    yield* this.flush(call, true);
    if (!forNewOne || call.index === undefined || call.ended || !call.arguments.isFinished) return;
    call.ended = true;
    yield { kind: 'tool_call_end', index: call.index };
  }

  /** The call that a fragment goes on with; none if it begins a new one. */
  private find(delta: Delta): Call | undefined {
    const call = delta.id === undefined ? this.findWithoutId(delta) : this.findById(delta.id, delta);
    return call && this.continues(call, delta) ? call : undefined;
  }

  private findById(id: string, delta: Delta): Call | undefined {
    const { wireIndex, name } = delta;
    const sameId = this.finder.lastWithId(id);
    if (sameId) return this.finder.lastWithIdAt(id, wireIndex) ?? (name === undefined ? sameId : undefined);
    const candidate = wireIndex === undefined ? this.activeWithoutName() : this.finder.lastAt(wireIndex);
    // Some servers invent an id for every fragment: then only a name begins a call.
    return candidate?.id === undefined || (name === undefined && wireIndex !== undefined) ? candidate : undefined;
  }

  private findWithoutId({ wireIndex, name }: Delta): Call | undefined {
    const sameIndex = wireIndex === undefined ? undefined : this.finder.lastAt(wireIndex);
    return sameIndex ?? (wireIndex === undefined || name === undefined ? this.active : undefined);
  }

  private activeWithoutName(): Call | undefined {
    return this.active?.name === '' ? this.active : undefined;
  }

  /** Whether a fragment with a name may still belong to `call`: it repeats the name, brings it late, or brings a piece of it. */
  private continues(call: Call, delta: Delta): boolean {
    if (delta.name === undefined || call.name === '') return true;
    if (delta.name === call.name) return delta.arguments === '' || !call.arguments.isFinished;
    return call.index === undefined && call.arguments.isEmpty && this.names?.knows(delta.name) !== true;
  }

  private open(delta: Delta): Call {
    const { wireIndex, id } = delta;
    const call: Call = { wireIndex, id, name: '', arguments: new CallArguments(), index: undefined, ended: false };
    this.calls.push(call);
    this.finder.add(call);
    return call;
  }

  private *flush(call: Call, mayStart: boolean): Iterable<StreamPart> {
    if (call.index === undefined) {
      if (call.name === '' || !mayStart) return;
      call.index = this.started++;
      const id = this.ids.give(call.id ?? `call_${call.index}`);
      const name = this.names?.fromWire(call.name) ?? call.name;
      yield { kind: 'tool_call_start', index: call.index, id, name, ...(id !== call.id && { isMadeUp: true }) };
    }
    for (const text of call.arguments.takeUnsent()) yield { kind: 'tool_call_delta', index: call.index, arguments: text };
  }
}

function readDelta(fragment: unknown): Delta {
  const { index, id, function: called } = asObject(fragment);
  const { name, arguments: text } = asObject(called);
  return {
    wireIndex: typeof index === 'number' ? index : undefined,
    id: asText(id),
    name: asText(name),
    arguments: typeof text === 'string' ? text : typeof text === 'object' && text !== null ? JSON.stringify(text) : '',
  };
}
