import { LlmError, type StreamPart, type ToolNames, type UpstreamCodec } from '@codelab/llm';
import { isJson, readWhole } from '../read-whole.js';
import type { SettingNames } from './to-llm-error.js';
import type { UpstreamAnswer } from './upstream-request.js';

/** 32 MiB: the longest answer in one piece that is read. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export interface ReadOptions {
  readonly codec: Pick<UpstreamCodec, 'decodeStream' | 'decodeAnswer'>;
  readonly names: ToolNames;
  readonly settings: SettingNames;
  /** It was asked for in one piece. */
  readonly inOnePiece?: boolean;
}

/**
 * Reads the answer of an upstream as it comes: a stream, or the JSON that some servers send though a stream was asked for. When the
 * answer is whole the connection is kept for the next request; when the reader stops before, it is closed at once (L2).
 */
export async function* readAnswer(answer: UpstreamAnswer, options: ReadOptions): AsyncGenerator<StreamPart, void, undefined> {
  if (options.inOnePiece === true && isJson(answer)) {
    const text = (await readWhole(answer)).toString('utf8');
    for (const part of options.codec.decodeAnswer(text, options.names)) yield part;
    return;
  }
  const { body } = answer;
  try {
    for await (const part of decode(answer, options)) {
      answer.begun();
      if (part.kind === 'finish') body.passOver();
      yield part;
    }
  } finally {
    await body.return();
  }
}

/** A stream is handed on as it is: each generator around it takes its time for each part. */
function decode(answer: UpstreamAnswer, options: ReadOptions): AsyncIterable<StreamPart> {
  const bytes: AsyncIterableIterator<Uint8Array> = answer.body;
  const contentType = answer.headers['content-type'];
  const isStream = typeof contentType === 'string' && contentType.startsWith('text/event-stream');
  return isStream ? options.codec.decodeStream(bytes, options.names) : decodeByStart(bytes, options);
}

/** An answer of another type, by how it begins. */
async function* decodeByStart(
  bytes: AsyncIterableIterator<Uint8Array>,
  { codec, names, settings }: ReadOptions,
): AsyncGenerator<StreamPart, void, undefined> {
  const first = await firstBytes(bytes);
  const start = first.toString('latin1').trimStart().charAt(0);
  if (start === '{') return yield* codec.decodeAnswer(await readAll(first, bytes), names);
  if (start === '<') {
    const what = `The model provider answered with a web page: check ${settings.baseUrl}.`;
    throw new LlmError('unavailable', what, { retryable: false });
  }
  yield* codec.decodeStream(prepend(first, bytes), names);
}

/** The first bytes in which something other than blanks stands. */
async function firstBytes(bytes: AsyncIterableIterator<Uint8Array>): Promise<Buffer> {
  let first = Buffer.alloc(0);
  while (first.toString('latin1').trim() === '') {
    const next = await bytes.next();
    if (next.done === true) break;
    first = Buffer.concat([first, next.value]);
  }
  return first;
}

async function readAll(first: Buffer, rest: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [first];
  let length = first.length;
  for await (const piece of rest) {
    all.push(piece);
    length += piece.length;
    if (length > MAX_ANSWER_BYTES)
      throw new LlmError('unavailable', `The model provider answered with more than ${MAX_ANSWER_BYTES} bytes.`);
  }
  return Buffer.concat(all).toString('utf8');
}

async function* prepend(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

/** A bounded part of a body, for what it says of a refusal. */
export async function readSome(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      if ((bytes += piece.length) >= maxBytes) break;
    }
  } catch (error) {
    const isOurs = error instanceof LlmError && (error.code === 'cancelled' || error.code === 'timeout');
    if (isOurs) throw error;
    // a refusal that breaks off: its status says enough
  }
  return Buffer.concat(pieces).toString('utf8');
}
