import { findJson } from '../../../json/index.js';
import { LlmError } from '../../../errors/llm-error.js';
import { asList, asObject, parseJson, type Fields } from '../../../json/read-json.js';
import type { StreamPart } from '../../../canonical/stream-part.js';
import type { ToolNames } from '../../../names/tool-names.js';
import { EventDecoder } from '../stream/decode-stream.js';

/**
 * Reads an answer in one piece as if it had been streamed. The input of a call is the text that the provider wrote. Throws what
 * `decodeStream` throws, and `unavailable` for text that is no JSON object.
 *
 * @param text the body of an answer with status 200.
 */
export function* decodeAnswer(text: string, names?: ToolNames): Generator<StreamPart, void, undefined> {
  const message = parseMessage(text);
  const inputs = new Map([...findJson(text, ['content', '*', 'input'])].map(({ path, start, end }) => [path[1], text.slice(start, end)]));
  const decoder = new EventDecoder(names);
  const { content, usage, ...head } = message;
  if (message.type === 'error') yield* decoder.add(message, text);
  yield* decoder.add({ type: 'message_start', message: head }, '');
  for (const [index, block] of asList(content).entries()) {
    const raw = `{"content_block":{"input":${inputs.get(String(index)) ?? '{}'}}}`;
    yield* decoder.add({ type: 'content_block_start', index, content_block: block }, raw);
    yield* decoder.add({ type: 'content_block_stop', index }, '');
  }
  yield* decoder.add({ type: 'message_delta', delta: head, usage }, '');
  yield* decoder.add({ type: 'message_stop' }, '');
}

/** The JSON object of an answer. No cause: its message quotes what the provider sent (L1). */
export function parseMessage(text: string): Fields {
  const message = asObject(parseJson(text));
  if (Array.isArray(message.content) || message.type === 'error') return message;
  throw new LlmError('unavailable', 'The model provider answered with something that is no message.');
}
