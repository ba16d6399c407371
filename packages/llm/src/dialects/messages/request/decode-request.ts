import { isAbsent } from '../../../check/check-fields.js';
import type { CheckOptions, DecodedRequest } from '../../dialect.js';
import type { JsonSchema, Message, ModelRequest, ResponseFormat, Thinking } from '../../../canonical/message.js';
import { asList, asNumber, asObject, asText, type Fields } from '../../../json/read-json.js';
import { refuse } from '../../../check/refuse.js';
import { checkRequest } from './check-request.js';
import { decodeContent } from './decode-content.js';
import { decodeMessages } from './decode-messages.js';
import { decodeChoice, decodeTools } from './decode-tools.js';

/**
 * Reads a Messages body for a model of another vendor (docs/specification/llm-proxy.md#translation). What only Anthropic's servers can do is left
 * out, and named in `notes` where an answer may differ for it. Throws `ApiError` as `checkRequest` does, and for a request in a thread:
 * clients that are told so send the whole conversation instead.
 *
 * @param raw the text of `body`: arguments are carried from it byte for byte
 */
export function decodeRequest(body: unknown, raw: string, options: CheckOptions = {}): DecodedRequest {
  const fields = asObject(body);
  if (!isAbsent(fields.thread)) {
    const how = 'message threads are kept by Anthropic for its own models only: send the whole conversation, without `thread`';
    throw refuse('thread', how, { details: { error_code: 'thread_unsupported_request' } });
  }
  checkRequest(body, options);
  const declared = decodeTools(fields.tools);
  const request: ModelRequest = {
    model: asText(fields.model) ?? '',
    messages: [...decodeSystem(fields.system), ...decodeMessages(fields.messages as readonly unknown[], raw)],
    tools: declared.tools,
    ...decodeChoice(fields.tool_choice, declared),
    ...decodeLimits(fields),
    thinking: decodeThinking(fields),
    responseFormat: decodeFormat(fields),
  };
  const notes = describeLoss(fields, declared.hosted);
  return { request, stream: fields.stream === true, includeUsage: true, notes: notes.length > 0 ? notes : undefined };
}

function decodeSystem(system: unknown): Message[] {
  const parts = decodeContent(system);
  return parts.length === 0 ? [] : [{ role: 'system', parts }];
}

function decodeLimits({ max_tokens, temperature, top_p, top_k, stop_sequences, metadata }: Fields): Partial<ModelRequest> {
  const stop = asList(stop_sequences) as readonly string[];
  return {
    maxTokens: typeof max_tokens === 'number' ? Math.max(1, max_tokens) : undefined, // 0 only fills a cache
    temperature: asNumber(temperature),
    topP: asNumber(top_p),
    topK: asNumber(top_k),
    stop: stop.length > 0 ? stop : undefined,
    user: asText(asObject(metadata).user_id),
  };
}

/** `output_config.effort` says how much to think, with or without `thinking`. */
function decodeThinking({ thinking, output_config }: Fields): Thinking | undefined {
  const { type, budget_tokens } = asObject(thinking);
  const effort = asText(asObject(output_config).effort);
  if (type === 'disabled') return { kind: 'off' };
  if (type === 'enabled') return { kind: 'on', budgetTokens: budget_tokens as number, effort };
  return type === 'adaptive' || effort !== undefined ? { kind: 'adaptive', effort } : undefined;
}

function decodeFormat({ output_config, output_format }: Fields): ResponseFormat | undefined {
  const { type, schema } = asObject(asObject(output_config).format ?? output_format);
  if (type !== 'json_schema' || schema === undefined) return undefined;
  return { kind: 'json_schema', name: 'answer', schema: schema as JsonSchema, strict: 'if_possible' };
}

function describeLoss({ mcp_servers, container }: Fields, hosted: readonly string[]): string[] {
  return [
    ...hosted.map((type) => `tools: ${type} runs on Anthropic's servers and was left out`),
    ...(asList(mcp_servers).length > 0 ? ["mcp_servers: Anthropic's servers would call them; left out"] : []),
    ...(isAbsent(container) ? [] : ["container: runs on Anthropic's servers; left out"]),
  ];
}
