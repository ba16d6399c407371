import type { Readable } from 'node:stream';
import { LlmError, openai, type StreamPart, type ToolNames } from '@codelab/llm';
import type { Dispatcher } from 'undici';
import type { Deadlines } from './deadlines.js';
import { toLlmError } from './errors.js';

/** 32 MiB: the longest answer in one piece that is read. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** How long the end of a body may take after the answer is whole; then its connection is closed instead of kept. */
const READ_OUT_MS = 1_000;

/**
 * Reads the answer of an upstream as it comes: a stream, or the JSON that some servers send though a stream was asked for. When the
 * answer is whole the connection is kept for the next request; when the reader stops before, it is closed at once (L2).
 */
export async function* readAnswer(
  response: Dispatcher.ResponseData,
  names: ToolNames,
  deadlines: Deadlines,
): AsyncGenerator<StreamPart, void, undefined> {
  const body = response.body as unknown as Readable;
  body.on('error', () => undefined); // the reader gets it; a late one has none
  let whole = false;
  try {
    for await (const part of decode(pieces(body, deadlines), response.headers['content-type'], names)) {
      deadlines.token();
      whole = part.kind === 'finish';
      yield part;
    }
  } finally {
    if (whole && !deadlines.signal.aborted) readOut(body);
    else body.destroy();
  }
}

async function* decode(
  bytes: AsyncGenerator<Uint8Array>,
  contentType: unknown,
  names: ToolNames,
): AsyncGenerator<StreamPart, void, undefined> {
  if (typeof contentType === 'string' && contentType.startsWith('text/event-stream')) return yield* openai.decodeStream(bytes, names);
  const first = await firstBytes(bytes);
  const start = first.toString('latin1').trimStart().charAt(0);
  if (start === '{') return yield* openai.decodeAnswer(await readAll(first, bytes), names);
  if (start === '<') {
    throw new LlmError('unavailable', 'The model provider answered with a web page: check OPENAI_BASE_URL; it usually ends in /v1.', {
      retryable: false,
    });
  }
  yield* openai.decodeStream(prepend(first, bytes), names);
}

async function* pieces(body: Readable, deadlines: Deadlines): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      deadlines.bytes();
      yield piece;
    }
  } catch (error) {
    throw toLlmError(deadlines.signal.aborted ? deadlines.signal.reason : error, true);
  }
}

/** The first bytes in which something other than blanks stands. */
async function firstBytes(bytes: AsyncGenerator<Uint8Array>): Promise<Buffer> {
  let first = Buffer.alloc(0);
  while (first.toString('latin1').trim() === '') {
    const next = await bytes.next();
    if (next.done) break;
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

function readOut(body: Readable): void {
  const timer = setTimeout(() => body.destroy(), READ_OUT_MS);
  timer.unref();
  body.once('close', () => clearTimeout(timer));
  body.resume();
}
