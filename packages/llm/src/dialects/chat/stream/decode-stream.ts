import type { StreamPart, Usage } from '../../../canonical/stream-part.js';
import { decodeUsage } from '../answer/usage.js';
import { decodeError } from '../errors/decode-error.js';
import { ToolCallTracker } from './tool-call-tracker.js';
import { LlmError } from '../../../errors/llm-error.js';
import { asList, asObject, asText, parseJson, type Fields } from '../../../json/read-json.js';
import type { ToolNames } from '../../../names/tool-names.js';
import { readEvents } from '../../../stream/read-events.js';
import { readFinish, type FinishWords } from '../../../stream/read-finish.js';

/**
 * Reads a Chat Completions stream, whatever byte it is cut at, as canonical parts.
 *
 * Text goes out as it comes. `finish` waits for the usage, which comes in a chunk of its own, and is reported once. A stream that
 * ends or breaks without a finish reason throws `stream_interrupted`, after all that came was given out; once the reason came, an
 * end without usage or `[DONE]` is a clean one.
 *
 * @param names those of `encodeRequest`: tool names come back as the request has them.
 */
export async function* decodeStream(bytes: AsyncIterable<Uint8Array>, names?: ToolNames): AsyncGenerator<StreamPart, void, undefined> {
  const decoder = new ChunkDecoder(names);
  // a connection that breaks once the answer is whole costs no more than the usage
  for await (const events of readEvents(bytes, () => decoder.finished)) {
    for (const { event, data } of events) {
      const isEndMark = data.trim() === '[DONE]';
      if (isEndMark) decoder.done();
      else for (const part of decoder.add(parseChunk(data), event)) yield part; // yield* would wait for each
      if (!isEndMark && !decoder.complete) continue;
      yield* decoder.end(); // before `bytes` is let go: a reader of `finish` knows that the rest may be read out
      return;
    }
  }
  yield* decoder.end();
}

/** Reads the data of an event. Throws `stream_interrupted` for what is no JSON, without a cause: it would quote the provider (L1). */
export function parseChunk(data: string): unknown {
  const chunk = parseJson(data);
  if (chunk === undefined) throw new LlmError('stream_interrupted', 'The model provider sent a chunk that is not JSON.');
  return chunk;
}

const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

/** The state between the chunks of one answer. */
export class ChunkDecoder {
  private readonly calls: ToolCallTracker;
  private word: string | undefined;
  private usage: Usage | undefined;
  private usageIsLast = false;
  private refused = false;
  private blankWord = false;
  /** The first half of a character that needs two UTF-16 units, until the second one comes. */
  private half = '';

  constructor(names?: ToolNames) {
    this.calls = new ToolCallTracker(names);
  }

  /** Whether the provider said why it stopped. */
  get finished(): boolean {
    return this.word !== undefined;
  }

  /** Whether nothing more is to come: the chunk with the usage came after the finish reason. */
  get complete(): boolean {
    return this.finished && this.usageIsLast;
  }

  /** See `ToolCallTracker.wholeNames`. */
  set wholeNames(whole: boolean) {
    this.calls.wholeNames = whole;
  }

  /** Takes the end mark. Some servers send an empty finish reason: with the end mark it counts as one. */
  done(): void {
    if (this.blankWord) this.word ??= 'stop';
  }

  *add(chunk: unknown, event?: string): Iterable<StreamPart> {
    const { error, choices, usage } = asObject(chunk);
    if ((error !== undefined && error !== null) || event === 'error') throw decodeError({ body: chunk });
    const choice = asObject(asList(choices).find((entry) => (asObject(entry).index ?? 0) === 0));
    yield* this.addDelta(asObject(choice.delta ?? choice.message));
    const word = choice.finish_reason;
    if (word === 'error') throw decodeError({ body: choice });
    this.word = asText(word) ?? this.word;
    this.blankWord = word === '' || this.blankWord;
    const counted = decodeUsage(usage);
    this.usage = counted ?? this.usage;
    this.usageIsLast = counted !== undefined && asList(choices).length === 0;
  }

  /** Ends the calls and the answer. Throws `stream_interrupted` if the provider never said why it stopped. */
  *end(): Iterable<StreamPart> {
    if (this.word === undefined) throw new LlmError('stream_interrupted', 'The answer of the model broke off before its end.');
    if (this.half !== '') yield { kind: 'text_delta', text: this.half };
    yield* this.calls.end();
    const finish = this.refused ? { reason: 'content_filter' as const } : readFinish(this.word, WORDS, this.calls.any);
    yield { kind: 'finish', ...finish, usage: this.usage };
  }

  private *addText(text: string): Iterable<StreamPart> {
    const whole = this.half + text;
    const end = HALF_CHARACTER.test(whole) ? whole.length - 1 : whole.length;
    this.half = whole.slice(end);
    if (end > 0) yield { kind: 'text_delta', text: whole.slice(0, end) };
  }

  private *addDelta(delta: Fields): Iterable<StreamPart> {
    const thought = asText(delta.reasoning_content) ?? asText(delta.reasoning);
    if (thought !== undefined) yield { kind: 'thinking_delta', text: thought };
    const refusal = asText(delta.refusal);
    if (refusal !== undefined) this.refused = true;
    for (const text of textsOf(delta.content)) yield* this.addText(text);
    for (const text of textsOf(refusal)) yield* this.addText(text);
    for (const fragment of asList(delta.tool_calls)) yield* this.calls.add(fragment);
    if (delta.function_call) yield* this.calls.add({ function: delta.function_call });
  }
}

/** Content as a text, or as the list of text parts that some servers send. */
function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return content === '' ? [] : [content];
  return asList(content).flatMap((part) => asText(asObject(part).text) ?? []);
}

/** What compatible servers say beside OpenAI's four words; an empty one is as good as `stop`. */
const WORDS: FinishWords = {
  stop: 'stop',
  '': 'stop',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  content_filter: 'content_filter',
};

/**
 * Reads an answer in one piece as if it had been streamed: some servers ignore `stream: true`. The calls of a message are told
 * apart by their places. Throws what `decodeStream` throws, and `unavailable` for text that is no JSON object.
 *
 * @param text the body of an answer with status 200.
 */
export function* decodeAnswer(text: string, names?: ToolNames): Generator<StreamPart, void, undefined> {
  const decoder = new ChunkDecoder(names);
  const answer = parseJson(text);
  if (typeof answer !== 'object' || answer === null)
    throw new LlmError('unavailable', 'The model provider answered with something that is not JSON.');
  const choices = asList(asObject(answer).choices).map((choice) => {
    const message = asObject(asObject(choice).message);
    return {
      ...asObject(choice),
      message: { ...message, tool_calls: asList(message.tool_calls).map((call, index) => ({ ...asObject(call), index })) },
    };
  });
  yield* decoder.add({ ...answer, choices });
  decoder.done();
  yield* decoder.end();
}
