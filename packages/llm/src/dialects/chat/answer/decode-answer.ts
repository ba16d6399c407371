import { LlmError } from '../../../errors/llm-error.js';
import type { StreamPart } from '../../../canonical/stream-part.js';
import type { ToolNames } from '../../../names/tool-names.js';
import { ChunkDecoder } from '../stream/decode-stream.js';
import { asList, asObject } from '../../../json/read-json.js';

/**
 * Reads an answer in one piece as if it had been streamed: some servers ignore `stream: true`. The calls of a message are told
 * apart by their places. Throws what `decodeStream` throws, and `unavailable` for text that is no JSON object.
 *
 * @param text the body of an answer with status 200.
 */
export function* decodeAnswer(text: string, names?: ToolNames): Generator<StreamPart, void, undefined> {
  const decoder = new ChunkDecoder(names);
  const answer = parse(text);
  const choices = asList(answer.choices).map((choice) => {
    const message = asObject(asObject(choice).message);
    return { ...asObject(choice), message: { ...message, tool_calls: asList(message.tool_calls).map(withPlace) } };
  });
  yield* decoder.add({ ...answer, choices });
  decoder.done();
  yield* decoder.end();
}

function withPlace(call: unknown, index: number): unknown {
  return { ...asObject(call), index };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // no cause: its message quotes what the provider sent (L1)
  }
  throw new LlmError('unavailable', 'The model provider answered with something that is not JSON.');
}
