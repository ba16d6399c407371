import type { AnswerMeta } from '../../dialect.js';
import type { FinishReason, StreamPart, Usage } from '../../../canonical/stream-part.js';
import { CallOrder } from '../../../canonical/call-order.js';
import { encodeUsage } from '../answer/usage.js';
import { ThoughtBlocks } from '../request/thought-blocks.js';

/**
 * Writes canonical parts as the chunks of a Chat Completions stream, in the one form that every client accepts (F2): the role comes
 * first; a chunk has text, or a piece of one call, or the finish reason; calls come one after another with indexes from 0; a call without
 * arguments gets `{}` when it is over, unless the answer was cut off. Each method gives whole server-sent events, or nothing yet.
 */
export class StreamEncoder {
  private readonly head: string;
  private readonly meta: AnswerMeta;
  private readonly order = new CallOrder();
  private readonly thoughts = new ThoughtBlocks();
  private started = false;
  private anyCall = false;
  /** The call whose arguments are blank so far. */
  private blank: number | undefined;

  constructor(meta: AnswerMeta) {
    this.meta = meta;
    this.head = chunkHead(meta);
  }

  start(): string {
    if (this.started) return '';
    this.started = true;
    return this.chunk('{"role":"assistant","content":""}');
  }

  push(part: StreamPart): string {
    const first = this.start();
    return first === '' ? this.encode(part) : first + this.encode(part);
  }

  end(): string {
    return 'data: [DONE]\n\n';
  }

  /** The last chunk of a stream whose caller asked for usage. */
  encodeUsage(usage: Usage): string {
    return `${this.head}],"usage":${JSON.stringify(encodeUsage(usage))}}\n\n`;
  }

  private encode(part: StreamPart): string {
    switch (part.kind) {
      case 'text_delta':
        return this.chunk(`{"content":${JSON.stringify(part.text)}}`);
      case 'thinking_delta':
      case 'redacted_thinking':
        return this.encodeThought(part);
      case 'tool_call_start':
      case 'tool_call_delta':
      case 'tool_call_end':
        return this.encodeCalls(this.order.add(part));
      case 'finish':
        return this.encodeCalls(this.order.end()) + this.encodeFinish(part.reason, part.usage);
    }
  }

  private encodeThought(part: Extract<StreamPart, { kind: 'thinking_delta' | 'redacted_thinking' }>): string {
    const text = part.kind === 'thinking_delta' && part.text !== '' ? `{"reasoning_content":${JSON.stringify(part.text)}}` : undefined;
    const block = this.thoughts.add(part);
    return (
      (text === undefined ? '' : this.chunk(text)) +
      (block === undefined ? '' : this.chunk(`{"thinking_blocks":${JSON.stringify([block])}}`))
    );
  }

  private encodeCalls(parts: Iterable<StreamPart>): string {
    let text = '';
    for (const part of parts) {
      if (part.kind === 'tool_call_start') {
        const { index, id, name } = part;
        text += this.fillBlank();
        this.anyCall = true;
        this.blank = index;
        text += this.chunk(JSON.stringify({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }));
      } else if (part.kind === 'tool_call_delta' && part.arguments !== '') {
        if (part.arguments.trim() !== '') this.blank = undefined;
        text += this.chunk(argumentsDelta(part.index, part.arguments));
      }
    }
    return text;
  }

  private fillBlank(): string {
    const index = this.blank;
    this.blank = undefined;
    return index === undefined ? '' : this.chunk(argumentsDelta(index, '{}'));
  }

  private encodeFinish(reason: FinishReason, usage: Usage | undefined): string {
    const isCut = reason === 'length';
    const word = reason === 'stop' && this.anyCall ? 'tool_calls' : reason;
    const last = (isCut ? '' : this.fillBlank()) + this.chunk('{}', word);
    return usage && this.meta.includeUsage ? last + this.encodeUsage(usage) : last;
  }

  private chunk(delta: string, finish?: string): string {
    return `${this.head}${toChoice(delta, finish)}]}\n\n`;
  }
}

/** A chunk that changes nothing of the answer and tells in a member of our own, `codelab`, what goes on. */
export function encodeProgress(meta: AnswerMeta, progress: object): string {
  return `${chunkHead(meta)}${toChoice('{}')}],"codelab":${JSON.stringify(progress)}}\n\n`;
}

/** A chunk up to its choices. */
function chunkHead({ id, created, model }: AnswerMeta): string {
  return `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model }).slice(0, -1)},"choices":[`;
}

function toChoice(delta: string, finish?: string): string {
  return `{"index":0,"delta":${delta},"finish_reason":${finish === undefined ? 'null' : `"${finish}"`}}`;
}

function argumentsDelta(index: number, text: string): string {
  return `{"tool_calls":[{"index":${index},"function":{"arguments":${JSON.stringify(text)}}}]}`;
}
