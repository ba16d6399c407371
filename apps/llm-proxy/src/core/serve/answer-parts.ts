import { DIALECTS, type DialectName, type AnswerMeta, type FinishReason, type StreamPart, type Usage } from '@codelab/llm';
import { LlmError } from '@codelab/llm';
import { toCallerError } from './failure.js';
import type { Exchange, SseWriter } from './route.js';

/** A part of an answer, or a whole server-sent event of ours between the parts: streams only, left out of JSON answers. */
export type AnswerEvent = StreamPart | { readonly kind: 'event'; readonly text: string };

export interface AnswerOptions {
  readonly dialect: DialectName;
  /** Server-sent events as they come, or one JSON answer at the end. */
  readonly stream: boolean;
  readonly meta: AnswerMeta;
  /** Read when the head of the answer is written: at the first part of a stream, at the end of a JSON answer. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** A stream that was opened before, so that it is kept alive while the first part is waited for; then `headers` are its. */
  readonly writer?: SseWriter;
}

/** What became of an answer. */
export interface AnswerEnd {
  readonly finish?: FinishReason;
  readonly usage?: Usage;
  /** The word of the upstream for why it stopped, where we know none like it. */
  readonly unknownReason?: string;
  /** Characters of text, thoughts and arguments that came: what an estimate of the output is made from where nobody counted. */
  readonly characters: number;
  /** Why a stream that had begun was broken off; it was told to the caller. `LlmError` `cancelled`: the caller left. */
  readonly failure?: unknown;
}

/**
 * Writes an answer in the caller's dialect as its parts come. The head goes out with the first part, or after a while without one; what
 * `parts` throws before that is thrown on, so that the answer can have its true status; later it ends the stream as an error event.
 * `parts` must end by themselves when `exchange.signal` aborts.
 */
export function answerParts(exchange: Exchange, parts: AsyncIterable<AnswerEvent>, options: AnswerOptions): Promise<AnswerEnd> {
  return options.stream ? streamParts(exchange, parts, options) : collectParts(exchange, parts, options);
}

/** Counts what comes by. */
class Tally {
  finish: FinishReason | undefined;
  usage: Usage | undefined;
  unknownReason: string | undefined;
  characters = 0;

  add(part: StreamPart): void {
    switch (part.kind) {
      case 'text_delta':
      case 'thinking_delta':
        this.characters += part.text.length;
        break;
      case 'tool_call_delta':
        this.characters += part.arguments.length;
        break;
      case 'finish':
        this.finish = part.reason;
        this.usage = part.usage;
        this.unknownReason = part.unknownReason;
        break;
      default:
    }
  }

  end(failure?: unknown): AnswerEnd {
    const { finish, usage, unknownReason, characters } = this;
    return {
      characters,
      finish,
      usage,
      ...(unknownReason && { unknownReason }),
      failure,
    };
  }
}

async function streamParts(exchange: Exchange, parts: AsyncIterable<AnswerEvent>, options: AnswerOptions): Promise<AnswerEnd> {
  const codec = DIALECTS[options.dialect];
  const encoder = new codec.StreamEncoder(options.meta);
  const { headers } = options;
  const writer = options.writer ?? exchange.stream({ keepalive: codec.keepalive, headers });
  const tally = new Tally();
  let opening = encoder.start();
  try {
    for await (const part of parts) {
      if (writer.closed) throw new LlmError('cancelled', 'The caller left.');
      let text: string;
      if (part.kind === 'event') text = part.text;
      else {
        tally.add(part);
        text = encoder.push(part);
      }
      const full = writer.write(opening + text);
      opening = '';
      if (full) await full;
    }
    void writer.write(encoder.end());
    writer.end();
    return tally.end();
  } catch (error) {
    if (!writer.begun) throw error;
    writer.fail(error, opening === '' ? encoder.fail?.(toCallerError(error)) : undefined);
    return tally.end(error);
  }
}

async function collectParts(exchange: Exchange, parts: AsyncIterable<AnswerEvent>, options: AnswerOptions): Promise<AnswerEnd> {
  const tally = new Tally();
  const collected: StreamPart[] = [];
  for await (const part of parts) {
    if (part.kind === 'event') continue;
    tally.add(part);
    collected.push(part);
  }
  exchange.reply(200, DIALECTS[options.dialect].encodeAnswer(collected, options.meta), options.headers?.());
  return tally.end();
}
