import { placeCacheMarks, limitCacheMarks } from '../../../canonical/cache-marks.js';
import type { EncodedRequest, EncodeOptions } from '../../dialect.js';
import { toJsonText } from '../../../json/index.js';
import type { ModelRequest } from '../../../canonical/message.js';
import { namesOfRequest } from '../../../names/names-of-request.js';
import { encodeMessages } from './encode-messages.js';
import { encodeThinking, REFUSES_SAMPLING } from './encode-thinking.js';
import { encodeTools } from './encode-tools.js';
import { toStrictSchema } from './strict-schema.js';
import type { WireRequest, WireText } from '../wire.js';

export interface EncodedMessages extends EncodedRequest {
  readonly body: WireRequest;
}

const JSON_ONLY: WireText = { type: 'text', text: 'Answer with one JSON object and nothing else: no explanation, no code fence.' };

/**
 * Writes a canonical request as a Messages body (docs/specification/llm-proxy.md#translation). Arguments of earlier calls are carried as they
 * are. A JSON answer by schema is asked for by `output_config.format`; one without a schema, which this dialect doesn't have, by a sentence.
 */
export function encodeRequest(given: ModelRequest, { quirks, maxOutputTokens, growth }: EncodeOptions = {}): EncodedMessages {
  const goesOn = growth !== undefined;
  const request = goesOn ? placeCacheMarks(given, growth) : given;
  const notes: string[] = [];
  const note = (text: string) => void notes.push(text);
  const limited = limitCacheMarks(request);
  const names = namesOfRequest(given, quirks?.max_tool_name, growth);
  const { system, messages } = encodeMessages(limited.messages, names, goesOn);
  const { thinking, effort, max_tokens } = encodeThinking(request, { messages, note, maxOutputTokens });
  const thinks = thinking !== undefined && thinking.type !== 'disabled';
  const format = encodeFormat(request);
  const instructions = request.responseFormat?.kind === 'json' ? [...system, JSON_ONLY] : system;
  const stop = request.stop?.filter((text) => text.trim() !== '') ?? []; // blank ones are refused
  const body: WireRequest = {
    model: request.model,
    max_tokens,
    stream: true,
    system: instructions.length > 0 ? instructions : undefined,
    messages,
    ...encodeTools(limited, { names, thinks, note, goesOn }),
    thinking,
    ...((effort !== undefined || format) && { output_config: { effort, ...(format && { format }) } }),
    ...encodeSampling(request, thinks),
    stop_sequences: stop.length > 0 ? stop : undefined,
    metadata: request.user === undefined ? undefined : { user_id: request.user },
  };
  return {
    body,
    get text() {
      return toJsonText(body); // many megabytes: only for who asks
    },
    names,
    notes,
  };
}

function encodeFormat({ responseFormat }: ModelRequest): object | undefined {
  return responseFormat?.kind === 'json_schema' ? { type: 'json_schema', schema: toStrictSchema(responseFormat.schema) } : undefined;
}

/** A model that thinks samples as it likes, and so do the newest ones. Several take either a temperature or `top_p`, not both. */
function encodeSampling(
  { model, temperature, topP, topK }: ModelRequest,
  thinks: boolean,
): Pick<WireRequest, 'temperature' | 'top_p' | 'top_k'> {
  if (thinks || REFUSES_SAMPLING.test(model)) return {};
  return {
    ...(temperature !== undefined ? { temperature: Math.min(1, temperature) } : topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && topK > 0 && { top_k: topK }),
  };
}
