import type { Message, ModelRequest, Part, ToolChoice } from '../message.js';
import type { Quirks } from '../quirks.js';
import { ToolNames } from '../tool-names.js';
import type { WireContentPart, WireMessage, WireRequest, WireToolCall, WireToolChoice } from './wire.js';

/** Models of OpenAI that refuse `max_tokens`; other servers often know nothing else. */
const WANTS_MAX_COMPLETION_TOKENS = /^(?:.*\/)?(?:o\d|gpt-[5-9])/;

export interface EncodeOptions {
  readonly quirks?: Quirks;
}

export interface EncodedRequest {
  readonly body: WireRequest;
  /** The body as JSON. */
  readonly text: string;
  /** Turns the names in the answer back into those of the request. */
  readonly names: ToolNames;
}

/**
 * Writes a canonical request as a Chat Completions body (guide: llm-translation, sections 2 and 3).
 *
 * Absence stays absence. Arguments of earlier calls are carried as they are, except that text which is not a JSON object becomes
 * `{}`: several compatible servers parse it, and one bad call would make them refuse the conversation for ever. Thoughts are left
 * out: this dialect has no place for them. Error results need no mark: their text says it.
 */
export function encodeRequest(request: ModelRequest, _options: EncodeOptions = {}): EncodedRequest {
  const names = new ToolNames(namesOf(request));
  const { maxTokens, temperature, toolChoice, parallelToolCalls } = request;
  const hasTools = request.tools.length > 0;
  const body: WireRequest = {
    model: request.model,
    stream: true,
    stream_options: { include_usage: true },
    messages: request.messages.flatMap((message) => encodeMessage(message, names)),
    ...(hasTools && { tools: request.tools.map((tool) => encodeTool(tool, names)) }),
    ...(hasTools && toolChoice !== undefined && { tool_choice: encodeChoice(toolChoice, names) }),
    ...(hasTools && parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
    ...(maxTokens !== undefined && {
      [WANTS_MAX_COMPLETION_TOKENS.test(request.model) ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
    }),
    ...(temperature !== undefined && { temperature }),
  };
  return { body, text: JSON.stringify(body), names };
}

function* namesOf(request: ModelRequest): Iterable<string> {
  for (const { name } of request.tools) yield name;
  for (const { parts } of request.messages) for (const part of parts) if (part.kind === 'tool_call') yield part.name;
}

function encodeTool({ name, description, parameters }: ModelRequest['tools'][number], names: ToolNames) {
  return { type: 'function', function: { name: names.toWire(name), description, parameters } } as const;
}

function encodeChoice(choice: ToolChoice, names: ToolNames): WireToolChoice {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: names.toWire(choice.name) } };
}

function encodeMessage({ role, parts }: Message, names: ToolNames): WireMessage[] {
  switch (role) {
    case 'system':
      return [{ role, content: textOf(parts) }];
    case 'user':
      return [{ role, content: parts.some(({ kind }) => kind === 'image') ? parts.flatMap(encodeContent) : textOf(parts) }];
    case 'assistant':
      return encodeAssistant(parts, names);
    case 'tool':
      return parts.flatMap((part) => (part.kind === 'tool_result' ? [{ role, tool_call_id: part.id, content: part.content }] : []));
  }
}

function encodeAssistant(parts: readonly Part[], names: ToolNames): WireMessage[] {
  const content = textOf(parts);
  const calls = parts.flatMap((part): WireToolCall[] =>
    part.kind === 'tool_call'
      ? [{ id: part.id, type: 'function', function: { name: names.toWire(part.name), arguments: toObjectText(part.arguments) } }]
      : [],
  );
  if (calls.length > 0) return [{ role: 'assistant', content: content === '' ? null : content, tool_calls: calls }];
  return content === '' ? [] : [{ role: 'assistant', content }];
}

function encodeContent(part: Part): WireContentPart[] {
  if (part.kind === 'text') return [{ type: 'text', text: part.text }];
  if (part.kind !== 'image') return [];
  const { source } = part;
  return [{ type: 'image_url', image_url: { url: source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}` } }];
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
}

function toObjectText(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? text : '{}';
  } catch {
    return '{}'; // what a model wrote is no JSON: see above
  }
}
