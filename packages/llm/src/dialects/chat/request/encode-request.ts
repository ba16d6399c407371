import type { EncodedRequest, EncodeOptions } from '../../dialect.js';
import type { Growth } from '../../../canonical/growth.js';
import type { ModelRequest, ResponseFormat, Thinking, ToolChoice } from '../../../canonical/message.js';
import type { Quirks } from '../../../quirks.js';
import { namesOfRequest } from '../../../names/names-of-request.js';
import type { ToolNames } from '../../../names/tool-names.js';
import { chooseTools, MUST_CALL } from './choose-tools.js';
import { encodeMessages } from './encode-messages.js';
import { JsonBytes, toJsonText } from '../../../json/index.js';
import { Memo } from '../../../memo.js';
import { strictFor } from './fits-strict.js';
import { describeTool } from './vendor-tools.js';
import type { WireMessage, WireRequest, WireResponseFormat, WireTool, WireToolChoice } from '../wire.js';

/** Models that take `reasoning_effort`; others refuse it. */
const TAKES_EFFORT = /^(?:.*\/)?(?:o\d|gpt-[5-9](?!.*-chat)|gpt-oss)/;
/** Those of OpenAI among them refuse temperature, top_p and stop. */
const REFUSES_SAMPLING = /^(?:.*\/)?(?:o\d|gpt-[5-9](?!.*-chat))/;
/** Models of OpenAI that refuse `max_tokens`; other servers often know nothing else. */
const WANTS_MAX_COMPLETION_TOKENS = /^(?:.*\/)?(?:o\d|gpt-[5-9])/;

/** OpenAI's limit. */
const MAX_STOPS = 4;

export interface EncodedChat extends EncodedRequest {
  readonly body: WireRequest;
  readonly onlyFirstCall: boolean;
}

/**
 * Writes a canonical request as a Chat Completions body (docs/specification/llm-proxy.md#translation).
 *
 * Absence stays absence. Arguments of earlier calls are carried as they are, except that text which is not a JSON object becomes
 * `{}`. Thoughts are left out unless the server wants them back; cache marks and `top_k` have no place here. Throws `LlmError`
 * `invalid_request` for what the server is known to refuse.
 */
export function encodeRequest(request: ModelRequest, { quirks = {}, growth }: EncodeOptions = {}): EncodedChat {
  const names = namesOfRequest(request, quirks.max_tool_name, growth);
  const chosen = chooseTools(request.toolChoice, quirks);
  const { send } = chosen;
  const tools = send === 'all' ? request.tools : request.tools.filter(({ name }) => send !== 'none' && name === send.name);
  const hasTools = tools.length > 0;
  const addsLine = hasTools && chosen.mustCall; // among what was written before
  const messages = encodeMessages(request.messages, { names, quirks }, addsLine ? undefined : growth);
  const { toolChoice, parallelToolCalls, thinking, user, responseFormat } = request;
  const onlyFirstCall = hasTools && parallelToolCalls === false && quirks.no_parallel_tool_calls === true;
  const effort = TAKES_EFFORT.test(request.model) ? toEffort(thinking) : undefined;
  const body: WireRequest = {
    model: request.model,
    stream: true,
    ...(!quirks.no_stream_options && { stream_options: { include_usage: true } }),
    messages: addsLine ? withSystemLine(messages, MUST_CALL) : messages,
    ...(hasTools && { tools: encodeTools(tools, names, growth) }),
    ...(hasTools && chosen.sendChoice && toolChoice !== undefined && { tool_choice: encodeChoice(toolChoice, names) }),
    ...(hasTools && parallelToolCalls !== undefined && !quirks.no_parallel_tool_calls && { parallel_tool_calls: parallelToolCalls }),
    ...encodeLimit(request, quirks),
    ...(!REFUSES_SAMPLING.test(request.model) && encodeSampling(request)),
    user,
    reasoning_effort: effort,
    response_format: responseFormat && encodeFormat(responseFormat),
  };
  return {
    body,
    get text() {
      return toJsonText(body); // many megabytes: only for who asks
    },
    names,
    onlyFirstCall,
    notes: [...(hasTools ? chosen.unenforced : []), ...(onlyFirstCall ? (['parallel_tool_calls'] as const) : [])],
  };
}

const TOOLS = new Memo<ModelRequest['tools'], JsonBytes>();

function encodeTools(tools: ModelRequest['tools'], names: ToolNames, growth: Growth | undefined): readonly WireTool[] {
  const wire = tools.map(({ name }) => names.toWire(name));
  const write = (): WireTool[] =>
    tools.map((tool, place) => {
      const described = describeTool(tool);
      return { type: 'function', function: { name: wire[place]!, ...described, strict: strictFor(tool.strict, described.parameters) } };
    });
  if (growth === undefined) return write();
  return TOOLS.get(tools, wire, () => new JsonBytes(Buffer.from(JSON.stringify(write())))).as();
}

function encodeChoice(choice: ToolChoice, names: ToolNames): WireToolChoice {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: names.toWire(choice.name) } };
}

function encodeSampling({ temperature, topP, stop = [] }: ModelRequest): Partial<WireRequest> {
  return {
    temperature,
    top_p: topP,
    ...(stop.length > 0 && { stop: stop.slice(0, MAX_STOPS) }),
  };
}

function encodeLimit({ model, maxTokens }: ModelRequest, { max_tokens_field }: Quirks): Partial<WireRequest> {
  if (maxTokens === undefined) return {};
  return { [max_tokens_field ?? (WANTS_MAX_COMPLETION_TOKENS.test(model) ? 'max_completion_tokens' : 'max_tokens')]: maxTokens };
}

function encodeFormat(format: ResponseFormat): WireResponseFormat {
  if (format.kind === 'json') return { type: 'json_object' };
  const { name, schema, strict, description } = format;
  return { type: 'json_schema', json_schema: { name, description, schema, strict: strictFor(strict, schema) } };
}

/** OpenAI's word for how much to think. Anthropic's budgets are turned into words at a quarter and at half of its usual 32,000. */
function toEffort(thinking: Thinking | undefined): string | undefined {
  if (!thinking || thinking.kind === 'off') return undefined;
  if (thinking.effort !== undefined) return thinking.effort === 'max' ? 'high' : thinking.effort;
  if (thinking.kind === 'adaptive' || thinking.budgetTokens === undefined) return undefined;
  const { budgetTokens } = thinking;
  return budgetTokens <= 8_000 ? 'low' : budgetTokens <= 16_000 ? 'medium' : 'high';
}

/** A line behind the system prompt. */
function withSystemLine(messages: readonly WireMessage[], line: string): WireMessage[] {
  const place = messages.findIndex(({ role }) => role !== 'system');
  return messages.toSpliced(place === -1 ? messages.length : place, 0, { role: 'system', content: line });
}
