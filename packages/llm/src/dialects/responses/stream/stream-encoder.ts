import type { ApiError } from '../../../errors/api-error.js';
import type { AnswerMeta } from '../../dialect.js';
import { Queue } from '../../../stream/queue.js';
import type { FinishReason, StreamPart, Usage } from '../../../canonical/stream-part.js';
import { AnswerEcho, encodeResponse, type ResponseState } from '../answer/response-object.js';
import { FunctionCallItem, WrappedCallItem } from './call-item.js';
import { encodeStreamError } from '../errors/encode-error.js';
import { EventWriter, itemAdded, itemDone, placeOf, type ItemPlace, type ItemStatus, type ItemWriter } from './item-writer.js';
import { ReasoningItem } from './reasoning-item.js';

/** An item in the queue. Only the first one is written; what comes for the others waits. */
interface Block {
  readonly kind: 'text' | 'thinking' | 'call';
  readonly writer: ItemWriter;
  /** The number of a call. */
  readonly call?: number;
  readonly waiting: string[];
  begun: boolean;
  /** Nothing more comes for it. */
  ended: boolean;
}

const STATES: Readonly<Record<FinishReason, Pick<ResponseState, 'status' | 'reason'> & { readonly status: ItemStatus }>> = {
  stop: { status: 'completed' },
  tool_calls: { status: 'completed' },
  length: { status: 'incomplete', reason: 'max_output_tokens' },
  content_filter: { status: 'incomplete', reason: 'content_filter' },
};

/**
 * Writes an answer as the events of `/v1/responses`. Items come one after the other: what a provider sends by turns is put in the order in
 * which it began (F3). Texts and thoughts go out as they come unless a call is still open before them.
 */
export class StreamEncoder {
  private readonly meta: AnswerMeta;
  private readonly echo: AnswerEcho | undefined;
  private readonly events = new EventWriter();
  private readonly queue = new Queue<Block>();
  /** The calls of the queue, by their numbers. */
  private readonly calls = new Map<number, Block>();
  private readonly output: object[] = [];
  private items = 0;
  private state: ResponseState = { status: 'in_progress', output: this.output };

  constructor(meta: AnswerMeta) {
    this.meta = meta;
    this.echo = meta.echo instanceof AnswerEcho ? meta.echo : undefined;
  }

  start(): string {
    return this.writeResponse('response.created') + this.writeResponse('response.in_progress');
  }

  push(part: StreamPart): string {
    switch (part.kind) {
      case 'text_delta':
        if (part.text !== '') this.last('text').waiting.push(part.text);
        break;
      case 'thinking_delta':
        this.think(part.text, part.signature);
        break;
      case 'redacted_thinking':
        this.append('thinking', new ReasoningItem(this.place('rs'), part.data)).ended = true;
        break;
      case 'tool_call_start':
        this.startCall(part.index, part.id, part.name);
        break;
      case 'tool_call_delta':
        if (part.arguments !== '') this.calls.get(part.index)?.waiting.push(part.arguments);
        break;
      case 'tool_call_end': {
        const call = this.calls.get(part.index);
        if (call) call.ended = true;
        break;
      }
      case 'finish':
        return this.finish(part.reason, part.usage);
    }
    return this.drain();
  }

  /** The last event has said everything: this dialect has no end mark. */
  end(): string {
    return '';
  }

  /** Ends the stream with an error. Says more than `encodeStreamError`: the response with what came of it. */
  fail(error: ApiError): string {
    this.state = { ...this.state, status: 'failed' };
    return encodeStreamError(error, (type, fields) =>
      type === 'error' ? this.events.write(type, fields) : this.writeResponse(type, fields.error),
    );
  }

  /** The response object as it is now, as JSON text. */
  response(): string {
    return encodeResponse(this.meta, this.state);
  }

  private writeResponse(type: string, error?: ResponseState['error']): string {
    return this.events.writeText(type, `"response":${encodeResponse(this.meta, { ...this.state, error })}`);
  }

  private place(prefix: string): ItemPlace {
    const outputIndex = this.items++;
    return { events: this.events, outputIndex, id: `${prefix}_${this.meta.id.replace(/^[a-z]+_/, '')}_${outputIndex}` };
  }

  /** Puts an item at the end of the queue. A text or a thought before it has ended with that. */
  private append(kind: Block['kind'], writer: ItemWriter, call?: number): Block {
    const last = this.queue.last;
    if (last && last.kind !== 'call') last.ended = true;
    const block: Block = { kind, writer, waiting: [], begun: false, ended: false, call };
    this.queue.add(block);
    if (call !== undefined) this.calls.set(call, block);
    return block;
  }

  private last(kind: 'text'): Block {
    const last = this.queue.last;
    return last?.kind === kind && !last.ended ? last : this.append(kind, new TextItem(this.place('msg')));
  }

  private think(text: string, signature: string | undefined): void {
    const last = this.queue.last;
    const isOpen = last?.kind === 'thinking' && !last.ended;
    const block = isOpen ? last : this.append('thinking', new ReasoningItem(this.place('rs')));
    if (text !== '') block.waiting.push(text);
    if (signature === undefined) return;
    (block.writer as ReasoningItem).sign(signature); // every block of this kind has one
    block.ended = true;
  }

  private startCall(index: number, id: string, name: string): void {
    const tool = this.echo?.declared.declared(name) ?? { kind: 'function', name };
    const place = this.place(tool.kind === 'custom' ? 'ctc' : tool.kind === 'tool_search' ? 'tsc' : 'fc');
    this.append('call', tool.kind === 'function' ? new FunctionCallItem(place, id, tool) : new WrappedCallItem(place, id, tool), index);
  }

  private drain(status: ItemStatus = 'completed'): string {
    let text = '';
    for (let block = this.queue.first; block; block = this.queue.first) {
      if (!block.begun) text += block.writer.begin();
      block.begun = true;
      for (const piece of block.waiting.splice(0)) text += block.writer.add(piece);
      if (!block.ended) break;
      this.queue.drop();
      if (block.call !== undefined) this.calls.delete(block.call);
      const isCut = status === 'incomplete' && this.queue.first === undefined;
      text += block.writer.end(isCut ? 'incomplete' : 'completed');
      this.keep(block.writer.item());
    }
    return text;
  }

  private keep(item: object): void {
    this.output.push(item);
    if ('id' in item && typeof item.id === 'string') this.echo?.keep?.(item.id, item);
  }

  private finish(reason: FinishReason, usage: Usage | undefined): string {
    const { status } = STATES[reason];
    for (const block of this.queue.all) block.ended = true;
    const items = this.drain(status);
    this.state = { ...STATES[reason], output: this.output, usage };
    return items + this.writeResponse(`response.${status}`);
  }
}

/** Writes a whole answer, which ends with `finish`, as a response object: JSON text, the same that a stream would end with. */
export function encodeAnswer(parts: readonly StreamPart[], meta: AnswerMeta): string {
  const encoder = new StreamEncoder(meta);
  for (const part of parts) encoder.push(part);
  return encoder.response();
}

/** What the model says: a `message` with one text. */
class TextItem implements ItemWriter {
  private readonly place: ItemPlace;
  private readonly at: string;
  private readonly pieces: string[] = [];
  private status: ItemStatus = 'completed';

  constructor(place: ItemPlace) {
    this.place = place;
    this.at = `${placeOf(place)},"content_index":0`;
  }

  begin(): string {
    const { events, id } = this.place;
    const added = itemAdded(this.place, { type: 'message', id, status: 'in_progress', role: 'assistant', content: [] });
    return added + events.writeText('response.content_part.added', `${this.at},"part":${partOf('')}`);
  }

  add(piece: string): string {
    this.pieces.push(piece);
    return this.place.events.writeText('response.output_text.delta', `${this.at},"delta":${JSON.stringify(piece)},"logprobs":[]`);
  }

  end(status: ItemStatus): string {
    this.status = status;
    const { events } = this.place;
    const text = this.text();
    return (
      events.writeText('response.output_text.done', `${this.at},"text":${JSON.stringify(text)},"logprobs":[]`) +
      events.writeText('response.content_part.done', `${this.at},"part":${partOf(text)}`) +
      itemDone(this.place, this.item())
    );
  }

  item(): object {
    const content = [{ type: 'output_text', text: this.text(), annotations: [], logprobs: [] }];
    return { type: 'message', id: this.place.id, status: this.status, role: 'assistant', content };
  }

  private text(): string {
    return this.pieces.join('');
  }
}

const partOf = (text: string): string => JSON.stringify({ type: 'output_text', text, annotations: [], logprobs: [] });
