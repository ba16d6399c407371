import { LlmError } from '../../../errors/llm-error.js';
import { asText } from '../../../json/read-json.js';
import { readEvents } from '../../../stream/read-events.js';
import type { StreamPart } from '../../../canonical/stream-part.js';
import type { ToolNames } from '../../../names/tool-names.js';
import { EventDecoder } from './event-decoder.js';

/**
 * Reads a Messages stream, whatever byte it is cut at, as canonical parts.
 *
 * Everything goes out as it comes; blocks that the provider's own tools made are left out. A stream that ends or breaks before
 * `message_stop`, or has no stop reason, throws `stream_interrupted`, after all that came was given out.
 *
 * @param names those of `encodeRequest`: tool names come back as the request has them.
 */
export async function* decodeStream(bytes: AsyncIterable<Uint8Array>, names?: ToolNames): AsyncGenerator<StreamPart, void, undefined> {
  const decoder = new EventDecoder(names);
  for await (const events of readEvents(bytes)) {
    for (const { event, data } of events) {
      if (event === 'ping') continue;
      for (const part of decoder.add(parseEvent(data, event), data)) yield part; // yield* would wait for each
      if (decoder.stopped) return; // before `bytes` is let go: a reader of `finish` knows that the rest may be read out
    }
  }
  throw new LlmError('stream_interrupted', 'The answer of the model broke off before its end.');
}

function parseEvent(data: string, event: string | undefined): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    // no cause: its message quotes what the provider sent (L1)
  }
  if (typeof value !== 'object' || value === null) {
    if (event === 'error') return { type: 'error' };
    throw new LlmError('stream_interrupted', 'The model provider sent an event that is not JSON.');
  }
  const fields = value as Record<string, unknown>;
  const type = event === 'error' ? 'error' : (asText(fields.type) ?? event);
  return type === fields.type ? fields : { ...fields, type };
}
