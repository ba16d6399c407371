import type { AnswerMeta } from '../../dialect.js';
import type { StreamPart } from '../../../canonical/stream-part.js';
import { BlockOrder } from './block-order.js';
import { encodeUsage } from '../answer/usage.js';
import { encodeStop } from '../answer/stop-reasons.js';

type Finish = Extract<StreamPart, { kind: 'finish' }>;
type Content = Exclude<StreamPart, Finish>;

/**
 * Writes canonical parts as the events of a Messages stream, in the one form that Anthropic's SDKs accept (F5): every event has its name,
 * blocks come one after another with indexes from 0, `message_delta` has the usage, `message_stop` comes last. Each method gives whole
 * server-sent events, or nothing yet.
 */
export class StreamEncoder {
  private readonly meta: AnswerMeta;
  private readonly order = new BlockOrder();
  private started = false;
  /** What the open block is made of. */
  private open: 'text' | 'thinking' | 'call' | undefined;
  /** The index of the open block, or of the next one. */
  private index = 0;
  private anyCall = false;

  constructor(meta: AnswerMeta) {
    this.meta = meta;
  }

  start(): string {
    if (this.started) return '';
    this.started = true;
    const { id, model } = this.meta;
    const head = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null };
    return event('message_start', `"message":${JSON.stringify({ ...head, usage: encodeUsage(undefined) })}`);
  }

  push(part: StreamPart): string {
    let text = this.start();
    for (const next of part.kind === 'finish' ? this.order.end() : this.order.add(part)) text += this.encode(next);
    return part.kind === 'finish' ? text + this.encodeFinish(part) : text;
  }

  end(): string {
    return event('message_stop');
  }

  private encode(part: Content): string {
    switch (part.kind) {
      case 'text_delta':
        return part.text === '' ? '' : this.begin('text', '"text":""') + this.delta('text_delta', 'text', part.text);
      case 'thinking_delta':
        return this.encodeThought(part.text, part.signature);
      case 'redacted_thinking':
        return this.close() + this.startBlock(`"type":"redacted_thinking","data":${JSON.stringify(part.data)}`) + this.stopBlock();
      case 'tool_call_start': {
        const before = this.close();
        this.open = 'call';
        this.anyCall = true;
        return before + this.startBlock(`"type":"tool_use","id":${JSON.stringify(part.id)},"name":${JSON.stringify(part.name)},"input":{}`);
      }
      case 'tool_call_delta':
        return part.arguments === '' ? '' : this.delta('input_json_delta', 'partial_json', part.arguments);
      case 'tool_call_end':
        return this.close();
    }
  }

  /** A signature is the end of its thought. */
  private encodeThought(text: string, signature: string | undefined): string {
    if (text === '' && signature === undefined) return '';
    const begin = this.begin('thinking', '"thinking":"","signature":""');
    const said = text === '' ? '' : this.delta('thinking_delta', 'thinking', text);
    return begin + said + (signature === undefined ? '' : this.delta('signature_delta', 'signature', signature) + this.close());
  }

  private encodeFinish({ reason, usage, stopSequence }: Finish): string {
    const delta = JSON.stringify(encodeStop(reason, this.anyCall, stopSequence));
    return this.close() + event('message_delta', `"delta":${delta},"usage":${JSON.stringify(encodeUsage(usage))}`);
  }

  /** Begins a block of this kind, unless it is the open one. */
  private begin(kind: 'text' | 'thinking', members: string): string {
    if (this.open === kind) return '';
    const before = this.close();
    this.open = kind;
    return before + this.startBlock(`"type":"${kind}",${members}`);
  }

  private close(): string {
    if (this.open === undefined) return '';
    this.open = undefined;
    return this.stopBlock();
  }

  private startBlock(members: string): string {
    return event('content_block_start', `"index":${this.index},"content_block":{${members}}`);
  }

  private stopBlock(): string {
    return event('content_block_stop', `"index":${this.index++}`);
  }

  private delta(type: string, member: string, text: string): string {
    return event('content_block_delta', `"index":${this.index},"delta":{"type":"${type}","${member}":${JSON.stringify(text)}}`);
  }
}

function event(type: string, members = ''): string {
  return `event: ${type}\ndata: {"type":"${type}"${members === '' ? '' : ','}${members}}\n\n`;
}
