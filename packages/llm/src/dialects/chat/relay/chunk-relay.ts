import type { AnswerMeta, WatchOptions } from '../../dialect.js';
import { editMembers } from '../../../json/index.js';
import { LlmError } from '../../../errors/llm-error.js';
import type { StreamPart, Usage } from '../../../canonical/stream-part.js';
import { ChunkJudge } from './chunk-judge.js';
import { decodeError } from '../errors/decode-error.js';
import { ChunkDecoder } from '../stream/decode-stream.js';
import { decodeUsage } from '../answer/usage.js';
import { isFurtherCall } from '../../../canonical/keep-first-call.js';
import { StreamEncoder } from '../stream/stream-encoder.js';
import { asList, asObject, asText, type Fields } from '../../../json/read-json.js';

/**
 * Carries the chunks of one answer: each method gives the text that goes on in place of what it took; `undefined`: that goes on as it is. While they are regular it only keeps account of the calls; from the first irregular one it writes what
 * follows anew. An answer with several choices is never written anew: nobody who asks for several is among those that would break.
 */
export class ChunkRelay {
  private readonly options: WatchOptions;
  private readonly judge: ChunkJudge;
  private readonly decoder: ChunkDecoder;
  private readonly encoder: StreamEncoder;
  /** The choices that were seen and those that are over. */
  private readonly seen = new Set<unknown>();
  private readonly over = new Set<unknown>();
  /** Pieces of the open call that the decoder doesn't know of yet. */
  private continued: Fields[] = [];
  private mode: 'same' | 'anew' | 'over' = 'same';
  private usageNow: Usage | undefined;
  /** The client has got the usage. */
  private isReported = false;

  constructor(meta: AnswerMeta, options: WatchOptions) {
    this.options = options;
    this.judge = new ChunkJudge(options);
    this.decoder = new ChunkDecoder(options.names);
    this.decoder.wholeNames = true;
    this.encoder = new StreamEncoder(meta);
  }

  get begun(): boolean {
    return this.seen.size > 0;
  }

  /** Whether the provider said of every choice why it stopped. */
  get finished(): boolean {
    return this.mode === 'over' || this.decoder.finished || (this.begun && this.over.size === this.seen.size);
  }

  /** Whether the client has got the end of the answer, in our words. */
  get isOver(): boolean {
    return this.mode === 'over';
  }

  get usage(): Usage | undefined {
    return this.usageNow;
  }

  /** Whether pieces of text may pass by without a look. */
  get takesPlainText(): boolean {
    return this.mode === 'same' && this.judge.hasRole && this.seen.size === 1;
  }

  /** @param raw the name and the data of the event */
  add(chunk: Fields, { data, event }: { readonly data: string; readonly event?: string }): string | undefined {
    if (this.mode === 'over') return '';
    if ((chunk.error !== undefined && chunk.error !== null) || event === 'error') throw decodeError({ body: chunk });
    const usage = decodeUsage(chunk.usage);
    this.usageNow = usage ?? this.usageNow;
    const choices = asList(chunk.choices).map(asObject);
    const wasFinished = this.finished;
    for (const choice of choices) this.note(choice);
    if (this.mode === 'anew') return this.writeAnew(chunk);
    if (choices.length === 0) return usage || (wasFinished && 'usage' in chunk) ? this.passUsage(usage) : undefined;
    const choice = choices[0];
    if (!wasFinished && this.seen.size === 1 && choice && !this.judge.isRegular(choice)) {
      this.catchUp();
      this.mode = 'anew';
      this.decoder.wholeNames = false;
      return this.writeAnew(chunk);
    }
    if (choice) this.keepAccount(choice);
    return usage ? this.passWithUsage(data, choices) : undefined;
  }

  /** The end mark. Throws `stream_interrupted` if the answer is not whole. */
  done(): string | undefined {
    this.decoder.done();
    const last = this.end();
    return this.mode === 'same' && last === '' ? undefined : last + (this.mode === 'same' ? this.encoder.end() : '');
  }

  /** The stream is over: gives what the client still lacks. Throws `stream_interrupted` if the answer is not whole. */
  end(): string {
    if (this.mode === 'over') return '';
    if (this.mode === 'anew') return this.finish();
    if (!this.finished) throw new LlmError('stream_interrupted', 'The answer of the model broke off before its end.');
    if (!this.usageNow || this.isReported || this.options.swallowUsage) return '';
    this.isReported = true;
    return this.encoder.encodeUsage(this.usageNow);
  }

  private note({ index = 0, finish_reason: word, ...choice }: Fields): void {
    if (word === 'error') throw decodeError({ body: choice });
    this.seen.add(index);
    if (asText(word) !== undefined) this.over.add(index);
  }

  /** Lets decoder and encoder know what the client saw, so that they can go on from there. Text doesn't matter to them. */
  private keepAccount(choice: Fields): void {
    const fragments = asList(asObject(choice.delta).tool_calls).map(asObject);
    this.encoder.start();
    if (fragments.every(({ id }) => asText(id) === undefined)) {
      for (const fragment of fragments) this.continued.push(fragment);
    } else {
      this.catchUp();
      this.account(fragments);
    }
  }

  /** Arguments are many small pieces: they are told of in one. */
  private catchUp(): void {
    const last = this.continued.at(-1);
    if (!last) return;
    const texts = this.continued.map((fragment) => asText(asObject(fragment.function).arguments) ?? '');
    this.continued = [];
    this.account([{ index: last.index, function: { arguments: texts.join('') } }]);
  }

  private account(fragments: readonly Fields[]): void {
    for (const part of this.decoder.add({ choices: [{ delta: { tool_calls: fragments } }] })) {
      // calls come one after another here: with the next one the client has the whole of the last one
      if (part.kind === 'tool_call_start' && part.index > 0) this.encoder.push({ kind: 'tool_call_end', index: part.index - 1 });
      this.encoder.push(part);
    }
  }

  private writeAnew(chunk: Fields): string {
    const text = this.encode(this.decoder.add(chunk));
    return this.decoder.complete ? text + this.finish() : text;
  }

  private finish(): string {
    const text = this.encode(this.decoder.end());
    this.mode = 'over';
    return text + this.encoder.end();
  }

  private encode(parts: Iterable<StreamPart>): string {
    let text = '';
    for (const part of parts) if (!this.options.onlyFirstCall || !isFurtherCall(part)) text += this.encoder.push(part);
    return text;
  }

  /** The chunk that has usage and nothing else, be it one that can't be read: a caller that didn't ask for it breaks on its lack of choices. */
  private passUsage(usage: Usage | undefined): string | undefined {
    if (this.options.swallowUsage || this.isReported) return '';
    this.isReported = usage !== undefined;
    return undefined;
  }

  /** Usage beside other things: with the finish it is the whole answer's; before, clients that add it up would count it twice (ST17). */
  private passWithUsage(data: string, choices: readonly Fields[]): string | undefined {
    if (choices.some(({ finish_reason: word }) => asText(word) !== undefined) && !this.isReported) {
      this.isReported = true;
      return undefined;
    }
    return `data: ${editMembers(data.replaceAll('\n', ''), { usage: 'null' })}\n\n`;
  }
}
