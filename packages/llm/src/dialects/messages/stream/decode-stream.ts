import { findJson } from '../../../json/index.js';
import { LlmError } from '../../../errors/llm-error.js';
import { asObject, asText, parseJson, type Fields } from '../../../json/read-json.js';
import type { StreamPart } from '../../../canonical/stream-part.js';
import type { ToolNames } from '../../../names/tool-names.js';
import { UniqueNames } from '../../../names/unique-names.js';
import { WholeCharacters } from '../../../stream/whole-characters.js';
import { decodeError } from '../errors/decode-error.js';
import { decodeUsage, mergeUsage } from '../answer/usage.js';
import { decodeStop } from '../answer/stop-reasons.js';
import { readEvents } from '../../../stream/read-events.js';

/** A block that is open. `skipped`: of a kind that the canonical form doesn't have, such as a tool that the provider ran itself. */
type Block =
  | { readonly kind: 'text' | 'thinking'; readonly characters: WholeCharacters }
  | { readonly kind: 'call'; readonly index: number; readonly input: string; any: boolean }
  | { readonly kind: 'skipped' };

/** The state between the events of one answer. */
export class EventDecoder {
  private readonly blocks = new Map<unknown, Block>();
  private readonly names: ToolNames | undefined;
  private readonly ids = new UniqueNames();
  private message: string | undefined;
  private calls = 0;
  private stop: { readonly reason: string; readonly sequence: string | undefined } | undefined;
  private usage: Fields | undefined;
  private stoppedNow = false;

  constructor(names?: ToolNames) {
    this.names = names;
  }

  /** Whether the answer is whole. */
  get stopped(): boolean {
    return this.stoppedNow;
  }

  /**
   * Takes an event, and gives what it says.
   *
   * @param event its data, with its name as `type` where the data has none
   * @param raw the text of the data
   */
  *add(event: Fields, raw: string): Iterable<StreamPart> {
    switch (event.type) {
      case 'message_start':
        this.startMessage(asObject(event.message));
        break;
      case 'content_block_start':
        yield* this.startBlock(event.index, asObject(event.content_block), raw);
        break;
      case 'content_block_delta':
        yield* this.addDelta(event.index, asObject(event.delta));
        break;
      case 'content_block_stop':
        yield* this.stopBlock(event.index);
        break;
      case 'message_delta':
        this.changeMessage(asObject(event.delta), event.usage);
        break;
      case 'message_stop':
        yield* this.stopMessage();
        break;
      case 'error':
        throw decodeError({ body: event });
      default: // a ping, or an event of a later version: not part of the answer
    }
  }

  private startMessage(message: Fields): void {
    const id = asText(message.id);
    if (this.usage === undefined) {
      this.message = id;
      this.usage = mergeUsage({}, message.usage);
    } else if (id !== undefined && id !== this.message) {
      throw new LlmError('stream_interrupted', 'The model provider began another answer in the middle of this one.');
    }
  }

  private *startBlock(place: unknown, block: Fields, raw: string): Iterable<StreamPart> {
    switch (block.type) {
      case 'text':
      case 'thinking': {
        this.blocks.set(place, { kind: block.type, characters: new WholeCharacters() });
        yield* this.addDelta(place, { ...block, type: `${block.type}_delta` });
        if (asText(block.signature) !== undefined) yield* this.addDelta(place, { ...block, type: 'signature_delta' });
        return;
      }
      case 'redacted_thinking':
        this.blocks.set(place, { kind: 'skipped' });
        yield { kind: 'redacted_thinking', data: asText(block.data) ?? '' };
        return;
      case 'tool_use':
        yield* this.startCall(place, block, raw);
        return;
      default:
        this.blocks.set(place, { kind: 'skipped' });
    }
  }

  private *startCall(place: unknown, block: Fields, raw: string): Iterable<StreamPart> {
    const name = asText(block.name);
    if (name === undefined) throw new LlmError('stream_interrupted', 'The model called a tool without naming it.');
    const index = this.calls++;
    const [span] = findJson(raw, ['content_block', 'input']);
    const hasInput = Object.keys(asObject(block.input)).length > 0;
    this.blocks.set(place, { kind: 'call', index, input: span && hasInput ? raw.slice(span.start, span.end) : '', any: false });
    const id = this.ids.give(asText(block.id) ?? `toolu_${index}`);
    const isMadeUp = id !== block.id;
    yield { kind: 'tool_call_start', index, id, name: this.names?.fromWire(name) ?? name, ...(isMadeUp && { isMadeUp }) };
  }

  private *addDelta(place: unknown, delta: Fields): Iterable<StreamPart> {
    const block = this.blocks.get(place);
    if (block === undefined || block.kind === 'skipped') return;
    if (block.kind === 'call') {
      const piece = delta.type === 'input_json_delta' ? asText(delta.partial_json) : undefined;
      if (piece === undefined) return;
      block.any = true;
      yield { kind: 'tool_call_delta', index: block.index, arguments: piece };
    } else if (delta.type === 'signature_delta') {
      const signature = asText(delta.signature);
      if (signature !== undefined) yield { kind: 'thinking_delta', text: block.characters.end(), signature };
    } else if (delta.type === 'text_delta' || delta.type === 'thinking_delta') {
      const text = block.characters.add(asText(delta.text ?? delta.thinking) ?? '');
      if (text !== '') yield { kind: `${block.kind}_delta`, text };
    }
  }

  private *stopBlock(place: unknown): Iterable<StreamPart> {
    const block = this.blocks.get(place);
    this.blocks.delete(place);
    if (block === undefined || block.kind === 'skipped') return;
    if (block.kind === 'call') {
      const { index, input, any } = block;
      if (!any && input !== '') yield { kind: 'tool_call_delta', index, arguments: input };
      yield { kind: 'tool_call_end', index };
    } else {
      const text = block.characters.end();
      if (text !== '') yield { kind: `${block.kind}_delta`, text };
    }
  }

  private changeMessage(delta: Fields, usage: unknown): void {
    const reason = asText(delta.stop_reason);
    if (reason !== undefined) this.stop = { reason, sequence: asText(delta.stop_sequence) };
    this.usage = mergeUsage(this.usage, usage);
  }

  private *stopMessage(): Iterable<StreamPart> {
    if (this.stop === undefined) throw new LlmError('stream_interrupted', 'The answer of the model ended without saying why.');
    for (const place of [...this.blocks.keys()]) yield* this.stopBlock(place);
    const { reason, sequence } = this.stop;
    const usage = decodeUsage(this.usage);
    this.stoppedNow = true;
    yield { kind: 'finish', ...decodeStop(reason, this.calls > 0), usage, stopSequence: sequence };
  }
}

/**
 * Reads a Messages stream, whatever byte it is cut at, as canonical parts.
 *
 * Everything goes out as it comes; blocks that the provider's own tools made are left out. A stream that ends or breaks before
 * `message_stop`, or has no stop reason, throws `stream_interrupted`, after all that came was given out.
 *
 * @param names those of `encodeRequest`: tool names come back as the request has them.
 */
export async function* decodeStream(bytes: AsyncIterable<Uint8Array>, names?: ToolNames): AsyncGenerator<StreamPart, void, undefined> {
  const decoder = new EventDecoder(names);
  for await (const events of readEvents(bytes)) {
    for (const { event, data } of events) {
      if (event === 'ping') continue;
      for (const part of decoder.add(parseEvent(data, event), data)) yield part; // yield* would wait for each
      if (decoder.stopped) return; // before `bytes` is let go: a reader of `finish` knows that the rest may be read out
    }
  }
  throw new LlmError('stream_interrupted', 'The answer of the model broke off before its end.');
}

function parseEvent(data: string, event: string | undefined): Fields {
  const value = parseJson(data);
  if (typeof value !== 'object' || value === null) {
    if (event === 'error') return { type: 'error' };
    throw new LlmError('stream_interrupted', 'The model provider sent an event that is not JSON.');
  }
  const fields = value as Fields;
  const type = event === 'error' ? 'error' : (asText(fields.type) ?? event);
  return type === fields.type ? fields : { ...fields, type };
}
