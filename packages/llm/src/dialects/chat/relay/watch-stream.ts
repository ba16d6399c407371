import { randomUUID } from 'node:crypto';
import { endOfEvent, EventCutter, readEvent, type EventBlock } from '../../../stream/cut-events.js';
import type { AnswerMeta, WatchOptions } from '../../dialect.js';
import { LlmError } from '../../../errors/llm-error.js';
import type { Usage } from '../../../canonical/stream-part.js';
import type { StreamWatch } from '../../../stream/stream-watch.js';
import { keepalive } from '../errors/encode-error.js';
import { ChunkRelay } from './chunk-relay.js';
import { parseChunk } from '../stream/decode-stream.js';
import { PlainText } from './plain-text.js';
import { asObject, asText, parseJson, type Fields } from '../../../json/read-json.js';

/**
 * Watches a Chat Completions stream on its way to a caller of the same dialect. Chunks go on byte for byte; from the first one that some
 * client would break on, what follows is written anew. An error behind other events of the same bytes is thrown by the next `push` or by
 * `end`, so that they are given first.
 */
export function watchStream(options: WatchOptions = {}): StreamWatch {
  return new ChatWatch(options);
}

class ChatWatch implements StreamWatch {
  private readonly cutter = new EventCutter();
  private readonly plain = new PlainText();
  private readonly options: WatchOptions;
  private relay: ChunkRelay | undefined;
  private failure: Error | undefined;
  private wholeNow = false;

  constructor(options: WatchOptions) {
    this.options = options;
  }

  get begun(): boolean {
    return this.relay?.begun ?? false;
  }

  get whole(): boolean {
    return this.wholeNow || this.failure !== undefined || this.relay?.isOver === true;
  }

  get usage(): Usage | undefined {
    return this.relay?.usage;
  }

  push(bytes: Uint8Array): Uint8Array {
    this.throwFailure();
    return this.give(this.cutter.push(bytes));
  }

  end(): Uint8Array {
    this.throwFailure();
    const rest = this.give(this.cutter.end());
    if (!this.relay?.finished) this.throwFailure();
    if (this.whole) return rest;
    if (!this.relay) throw brokenOff();
    const last = this.relay.end();
    return last === '' ? rest : Buffer.concat([rest, Buffer.from(last)]);
  }

  private throwFailure(): void {
    if (this.failure) throw this.failure;
  }

  private give(block: EventBlock): Uint8Array {
    const { bytes } = block;
    const given: Uint8Array[] = [];
    let same = 0;
    for (let from = 0, to: number; from < bytes.length; from = to) {
      to = endOfEvent(block, from);
      let instead: string | undefined;
      try {
        instead = this.judge(block, from, to);
      } catch (error) {
        if (same < from) given.push(bytes.subarray(same, from));
        if (given.length === 0) throw error;
        this.failure = error as Error;
        return given.length === 1 ? (given[0] as Uint8Array) : Buffer.concat(given);
      }
      if (instead === undefined) continue;
      if (same < from) given.push(bytes.subarray(same, from));
      if (instead !== '') given.push(Buffer.from(instead));
      same = to;
    }
    if (same === 0) return bytes;
    if (same < bytes.length) given.push(bytes.subarray(same));
    return Buffer.concat(given);
  }

  /** The text that goes on in place of an event; `undefined`: the event does. */
  private judge({ bytes, latin1 }: EventBlock, from: number, to: number): string | undefined {
    if (this.relay?.takesPlainText === true && this.plain.has(latin1, from, to)) return undefined;
    const { event, data } = readEvent(bytes.toString('utf8', from, to));
    if (data === undefined) return latin1.slice(from, to).includes(':') ? keepalive : undefined;
    if (data.trim() === '') return '';
    if (data.trim() === '[DONE]') return this.done();
    const chunk = this.parse(data);
    if (chunk === undefined) return '';
    this.relay ??= new ChunkRelay(toMeta(chunk, this.options), this.options);
    return this.relay.add(chunk, { data, event });
  }

  private done(): string | undefined {
    if (!this.relay) throw brokenOff();
    const instead = this.relay.done();
    this.wholeNow = true;
    return instead;
  }

  private parse(data: string): Fields | undefined {
    if (this.relay?.finished && parseJson(data) === undefined) return undefined; // the answer is whole: what is torn off is its usage
    return asObject(parseChunk(data));
  }
}

const brokenOff = (): LlmError => new LlmError('stream_interrupted', 'The answer of the model broke off before its end.');

/** What chunks of ours say of themselves: the same as those before them. */
function toMeta({ id, model, created }: Fields, { swallowUsage }: WatchOptions): AnswerMeta {
  return {
    id: asText(id) ?? `chatcmpl-${randomUUID()}`,
    model: asText(model) ?? '',
    created: typeof created === 'number' ? created : Math.floor(Date.now() / 1000),
    includeUsage: swallowUsage !== true,
  };
}
