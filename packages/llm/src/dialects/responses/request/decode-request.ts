import type { DecodedRequest, DecodeOptions } from '../../dialect.js';
import type { ModelRequest, ResponseFormat, Thinking } from '../../../canonical/message.js';
import { asFlag, asList, asNumber, asObject, asText, type Fields } from '../../../json/read-json.js';
import { AnswerEcho } from '../answer/response-object.js';
import { checkRequest } from './check-request.js';
import { DeclaredTools } from './declared-tools.js';
import { decodeChoice } from './decode-choice.js';
import { decodeInput } from './decode-input.js';
import { decodeTools } from './decode-tools.js';
import { refuse } from '../../../check/refuse.js';

/**
 * Reads the body of `POST /v1/responses` for an upstream of another dialect. What that can't say and nobody misses is left out: tools that
 * OpenAI runs, `include`, `metadata`, `prompt_cache_key`, `service_tier` and the like. What would change the answer is refused.
 *
 * @param raw the body as it came: the answer repeats parts of it letter by letter
 */
export function decodeRequest(body: unknown, raw: string, options: DecodeOptions = {}): DecodedRequest {
  checkRequest(body, options);
  const fields = asObject(body);
  refuseStored(fields);
  const declared = new DeclaredTools();
  const declaredTools = [...decodeTools(fields.tools, declared), ...decodeLaterTools(fields.input, declared)];
  const { tools, choice } = decodeChoice(fields.tool_choice, declaredTools, declared);
  const instructions = asText(fields.instructions);
  const request: ModelRequest = {
    model: String(fields.model),
    messages: [
      ...(instructions === undefined ? [] : [{ role: 'system' as const, parts: [{ kind: 'text' as const, text: instructions }] }]),
      ...decodeInput(fields.input, { declared, ...options }),
    ],
    tools,
    toolChoice: choice,
    parallelToolCalls: asFlag(fields.parallel_tool_calls),
    maxTokens: asNumber(fields.max_output_tokens),
    temperature: asNumber(fields.temperature),
    topP: asNumber(fields.top_p),
    ...decodeUser(fields),
    ...decodeThinking(fields.reasoning),
    ...decodeFormat(asObject(fields.text).format),
  };
  const keep = fields.store === false ? undefined : options.keep;
  return { request, stream: fields.stream === true, includeUsage: true, echo: new AnswerEcho(raw, declared, keep) };
}

/** Nothing is stored here: what refers to the past of a server can't be served, and must not be served without it. */
function refuseStored(fields: Fields): void {
  for (const field of ['previous_response_id', 'conversation', 'prompt']) {
    const value = fields[field];
    if (value === undefined || value === null) continue;
    throw refuse(field, 'responses are not stored here. Send the whole conversation as `input`.', { code: `unsupported_${field}` });
  }
  if (fields.background === true)
    throw refuse('background', 'answers are not kept here: ask without it, with `stream: true` if it takes long.');
}

/** Tools that the conversation brings along later: found by a search of the caller, or added by it. */
function decodeLaterTools(input: unknown, declared: DeclaredTools) {
  return asList(typeof input === 'string' ? [] : input).flatMap((item, place) => {
    const { type, tools } = asObject(item);
    const brings = type === 'tool_search_output' || type === 'additional_tools';
    return brings ? decodeTools(tools, declared, `input[${place}].tools`) : [];
  });
}

function decodeUser(fields: Fields): Pick<ModelRequest, 'user'> {
  const user = asText(fields.safety_identifier) ?? asText(fields.user);
  return user === undefined ? {} : { user };
}

function decodeThinking(reasoning: unknown): Pick<ModelRequest, 'thinking'> {
  const effort = asText(asObject(reasoning).effort);
  if (effort === undefined) return {};
  const thinking: Thinking = effort === 'none' ? { kind: 'off' } : { kind: 'on', effort };
  return { thinking };
}

function decodeFormat(value: unknown): Pick<ModelRequest, 'responseFormat'> {
  const format = asObject(value);
  switch (format.type) {
    case 'json_object':
      return { responseFormat: { kind: 'json' } };
    case 'json_schema': {
      const { name, schema, strict, description } = format;
      if (typeof schema !== 'object' || schema === null) throw refuse('text.format.schema', 'must be a JSON Schema.');
      const responseFormat: ResponseFormat = {
        kind: 'json_schema',
        name: asText(name) ?? 'answer',
        schema: schema as Record<string, unknown>,
        strict: asFlag(strict),
        ...(typeof description === 'string' && { description }),
      };
      return { responseFormat };
    }
    case undefined:
    case null:
    case 'text':
      return {};
    default:
      throw refuse('text.format.type', 'must be text, json_object or json_schema.');
  }
}
