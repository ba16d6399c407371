import type { CheckOptions, DecodedRequest } from '../../dialect.js';
import type { JsonSchema, ModelRequest, ResponseFormat, Thinking } from '../../../canonical/message.js';
import { refuse } from '../../../check/refuse.js';
import { checkRequest } from './check-request.js';
import { decodeMessages } from './decode-messages.js';
import { decodeTools } from './decode-tools.js';
import { asFlag, asList, asNumber, asObject, asText, type Fields } from '../../../json/read-json.js';

/**
 * Reads the body of a chat request as a canonical one, for an upstream of another dialect. What is unknown is dropped; what is known and
 * can't be said there is refused, with the field named. Arguments of earlier calls are carried as text.
 *
 * @param body what `raw` parses to
 */
export function decodeRequest(body: unknown, _raw: string, options: CheckOptions = {}): DecodedRequest {
  checkRequest(body, options);
  const fields = body as Fields;
  if (typeof fields.n === 'number' && fields.n > 1) throw refuse('n', 'the model of this request gives one answer at a time');
  const request: ModelRequest = {
    model: asText(fields.model) ?? '',
    messages: decodeMessages(asList(fields.messages)),
    ...decodeTools(fields),
    parallelToolCalls: asFlag(fields.parallel_tool_calls),
    maxTokens: positive(fields.max_completion_tokens) ?? positive(fields.max_tokens),
    temperature: asNumber(fields.temperature),
    topP: asNumber(fields.top_p),
    topK: positive(fields.top_k),
    stop: readStop(fields.stop),
    user: asText(fields.safety_identifier) ?? asText(fields.user),
    thinking: readThinking(fields),
    responseFormat: readFormat(asObject(fields.response_format)),
  };
  return { request, stream: fields.stream === true, includeUsage: asObject(fields.stream_options).include_usage === true };
}

function readStop(stop: unknown): readonly string[] | undefined {
  const texts = (typeof stop === 'string' ? [stop] : (asList(stop) as readonly string[])).filter((text) => text !== '');
  return texts.length > 0 ? texts : undefined;
}

/** Our extension `thinking` first: it says more than `reasoning_effort`, which adds how much. */
function readThinking({ thinking, reasoning_effort }: Fields): Thinking | undefined {
  const word = asText(reasoning_effort);
  const wordOfEffort = word === 'none' ? undefined : word;
  if (thinking === true) return { kind: 'on', effort: wordOfEffort };
  const { type, budget_tokens, effort: ownEffort } = asObject(thinking);
  const effort = asText(ownEffort) ?? wordOfEffort;
  if (type === 'enabled') return { kind: 'on', effort, budgetTokens: asNumber(budget_tokens) };
  if (type === 'adaptive') return { kind: 'adaptive', effort };
  if (type === 'disabled' || thinking === false || word === 'none') return { kind: 'off' };
  return word === undefined ? undefined : { kind: 'on', effort: word };
}

function readFormat({ type, json_schema }: Fields): ResponseFormat | undefined {
  if (type === 'json_object') return { kind: 'json' };
  if (type !== 'json_schema') return undefined;
  const { name, schema, strict, description } = asObject(json_schema);
  return {
    kind: 'json_schema',
    name: name as string,
    schema: (schema as JsonSchema | null | undefined) ?? {},
    strict: asFlag(strict),
    description: typeof description === 'string' ? description : undefined,
  };
}

const positive = (value: unknown): number | undefined => (typeof value === 'number' && value > 0 ? value : undefined);
