import { LlmError } from '../llm-error.js';
import type { StreamPart } from '../stream-part.js';
import type { ToolNames } from '../tool-names.js';
import { asObject, asText } from './wire.js';

interface Call {
  /** What the provider numbered it, if it did. */
  readonly wireIndex: number | undefined;
  id: string | undefined;
  name: string;
  /** Everything that came; the first `sent` pieces went out already. */
  readonly pieces: string[];
  sent: number;
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
  readonly #calls: Call[] = [];
  readonly #names: ToolNames | undefined;
  readonly #ids = new Set<string>();
  #active: Call | undefined;
  #started = 0;
  /** The provider sends names whole: a call starts as soon as it has one. */
  wholeNames = false;

  /** @param names knows the declared tools: a call of one of them starts as soon as its name is there. */
  constructor(names?: ToolNames) {
    this.#names = names;
  }

  /** Whether any call was seen. */
  get any(): boolean {
    return this.#calls.length > 0;
  }

  /** Takes one fragment and gives what can go out now. */
  *add(fragment: unknown): Iterable<StreamPart> {
    const delta = readDelta(fragment);
    const found = this.#find(delta);
    const call = found ?? this.#open(delta);
    if (call !== this.#active && this.#active) yield* this.#leave(this.#active, found === undefined);
    this.#active = call;
    if (call.ended) return;
    call.id ??= delta.id;
    if (delta.name !== undefined && call.index === undefined && delta.name !== call.name) call.name += delta.name;
    if (delta.arguments !== '') call.pieces.push(delta.arguments);
    yield* this.#flush(call, call.pieces.length > 0 || this.wholeNames || this.#names?.knows(call.name) === true);
  }

  /** Gives what is left at the end of the answer, and ends every call. Throws `stream_interrupted` for a call without a name. */
  *end(): Iterable<StreamPart> {
    for (const call of this.#calls) {
      yield* this.#flush(call, true);
      if (call.index === undefined) throw new LlmError('stream_interrupted', 'The model called a tool without naming it.');
    }
    const ended = new Set(this.#calls.flatMap((call) => (call.ended ? [call.index] : [])));
    for (let index = 0; index < this.#started; index++) if (!ended.has(index)) yield { kind: 'tool_call_end', index };
  }

  /** The fragments go on with another call. */
  *#leave(call: Call, forNewOne: boolean): Iterable<StreamPart> {
    yield* this.#flush(call, true);
    if (!forNewOne || call.index === undefined || call.ended || !isFinished(call)) return;
    call.ended = true;
    yield { kind: 'tool_call_end', index: call.index };
  }

  /** The call that a fragment goes on with; none if it begins a new one. */
  #find(delta: Delta): Call | undefined {
    const call = delta.id === undefined ? this.#findWithoutId(delta) : this.#findById(delta.id, delta);
    return call && this.#continues(call, delta) ? call : undefined;
  }

  #findById(id: string, delta: Delta): Call | undefined {
    const { wireIndex, name } = delta;
    const sameId = this.#calls.filter((call) => call.id === id);
    const exact = sameId.findLast((call) => wireIndex === undefined || call.wireIndex === undefined || call.wireIndex === wireIndex);
    if (sameId.length > 0) return exact ?? (name === undefined ? sameId.at(-1) : undefined);
    const candidate = wireIndex === undefined ? this.#activeWithoutName() : this.#atIndex(wireIndex);
    // Some servers invent an id for every fragment: then only a name begins a call.
    return candidate?.id === undefined || (name === undefined && wireIndex !== undefined) ? candidate : undefined;
  }

  #findWithoutId({ wireIndex, name }: Delta): Call | undefined {
    const sameIndex = wireIndex === undefined ? undefined : this.#atIndex(wireIndex);
    return sameIndex ?? (wireIndex === undefined || name === undefined ? this.#active : undefined);
  }

  #atIndex(wireIndex: number): Call | undefined {
    return this.#calls.findLast((call) => call.wireIndex === wireIndex);
  }

  #activeWithoutName(): Call | undefined {
    return this.#active?.name === '' ? this.#active : undefined;
  }

  /** Whether a fragment with a name may still belong to `call`: it repeats the name, brings it late, or brings a piece of it. */
  #continues(call: Call, delta: Delta): boolean {
    if (delta.name === undefined || call.name === '') return true;
    if (delta.name === call.name) return delta.arguments === '' || !isFinished(call);
    return call.index === undefined && call.pieces.length === 0 && this.#names?.knows(delta.name) !== true;
  }

  #open(delta: Delta): Call {
    const call: Call = { wireIndex: delta.wireIndex, id: delta.id, name: '', pieces: [], sent: 0, index: undefined, ended: false };
    this.#calls.push(call);
    return call;
  }

  *#flush(call: Call, mayStart: boolean): Iterable<StreamPart> {
    if (call.index === undefined) {
      if (call.name === '' || !mayStart) return;
      call.index = this.#started++;
      yield { kind: 'tool_call_start', index: call.index, id: this.#uniqueId(call), name: this.#names?.fromWire(call.name) ?? call.name };
    }
    for (const text of call.pieces.slice(call.sent)) yield { kind: 'tool_call_delta', index: call.index, arguments: text };
    call.sent = call.pieces.length;
  }

  #uniqueId(call: Call): string {
    const wanted = call.id ?? `call_${call.index ?? 0}`;
    let id = wanted;
    for (let n = 2; this.#ids.has(id); n++) id = `${wanted}_${n}`;
    this.#ids.add(id);
    return id;
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

/** Whether the arguments so far are a whole JSON object with something in it. */
function isFinished({ pieces }: Call): boolean {
  if (!pieces.at(-1)?.trimEnd().endsWith('}')) return false;
  const text = pieces.join('').trim();
  try {
    return text !== '{}' && typeof JSON.parse(text) === 'object';
  } catch {
    return false; // more is to come
  }
}
