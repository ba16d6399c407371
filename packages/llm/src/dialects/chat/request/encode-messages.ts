import { LlmError } from '../../../errors/llm-error.js';
import type { ImagePart, Message, Part, ToolCallPart, ToolResultPart } from '../../../canonical/message.js';
import { keepText } from '../../../json/index.js';
import { Memo } from '../../../memo.js';
import type { Quirks } from '../../../quirks.js';
import type { ToolNames } from '../../../names/tool-names.js';
import { toWireCallId } from './call-ids.js';
import { NO_IMAGE_URLS } from './image-urls.js';
import type { WireContentPart, WireMessage, WireToolCall } from '../wire.js';

/** What an error result begins with, where it doesn't say already that it is one: there is no other place for it. */
const ERROR_PREFIX = 'Error: ';
const SAYS_ERROR = /^\s*error\b/i;

/** Texts of an instruction or of the user are apart, as blocks are: many servers take one text only. */
const BETWEEN_TEXTS = '\n\n';

export interface MessageContext {
  readonly names: ToolNames;
  readonly quirks: Quirks;
  /** What is written is remembered: the same messages will be asked again. */
  readonly goesOn?: boolean;
}

/**
 * Writes a conversation. Results stand first in their turn, directly after the call (RQ17, RQ18); their images, for which a tool message
 * has no place, come in one message of the user after all of them (RQ19).
 */
export function encodeMessages(messages: readonly Message[], context: MessageContext): WireMessage[] {
  const encoded: WireMessage[] = [];
  const words = wordsOf(context);
  let images: ImagePart[] = [];
  const giveImages = () => {
    if (images.length > 0) encoded.push({ role: 'user', content: images.map((image) => encodeImage(image, context)) });
    images = [];
  };
  for (const message of messages) {
    const { results, resultImages, said } = encodeMessage(message, context, words);
    encoded.push(...results);
    images.push(...resultImages);
    if (said === undefined) continue;
    giveImages();
    encoded.push(...said);
  }
  giveImages();
  return encoded;
}

/** One message in the words of the dialect. */
interface EncodedMessage {
  readonly results: readonly WireMessage[];
  readonly resultImages: readonly ImagePart[];
  /** What stands in it beside results; missing where it is there for them only. */
  readonly said?: readonly WireMessage[];
}

const ENCODED = new Memo<Message, EncodedMessage>();

const same = <T>(value: T): T => value;

/** What the words of a message depend on beside itself and the names in it. */
const wordsOf = ({ quirks }: MessageContext): readonly unknown[] => [
  quirks.content_text,
  quirks.reasoning_content,
  quirks.tool_call_ids,
  quirks.no_image_urls,
];

function encodeMessage(message: Message, context: MessageContext, words: readonly unknown[]): EncodedMessage {
  if (!context.goesOn) return writeMessage(message, context, same);
  let of = words;
  for (const part of message.parts) if (part.kind === 'tool_call') of = [...of, context.names.toWire(part.name)];
  return ENCODED.get(message, of, () => writeMessage(message, context, keepText));
}

function writeMessage({ role, parts }: Message, context: MessageContext, keep: <T extends object>(value: T) => T): EncodedMessage {
  const results = parts.filter((part) => part.kind === 'tool_result');
  const rest = results.length > 0 ? parts.filter(({ kind }) => kind !== 'tool_result') : parts;
  const isSaid = role !== 'tool' && (results.length === 0 || rest.length > 0);
  return {
    results: results.map((result) => keep(encodeResult(result, context))),
    resultImages: results.flatMap((result) => result.images ?? []),
    said: isSaid ? encodeSaid(role, rest, context).map((said) => keep(said)) : undefined,
  };
}

function encodeSaid(role: 'system' | 'user' | 'assistant', parts: readonly Part[], context: MessageContext): WireMessage[] {
  if (role === 'assistant') return encodeAssistant(parts, context);
  if (role === 'system') return [{ role, content: textOf(parts, BETWEEN_TEXTS) }];
  return [{ role, content: encodeContent(parts, context) }];
}

function encodeResult({ id, content, isError }: ToolResultPart, { quirks }: MessageContext): WireMessage {
  const text = isError && !SAYS_ERROR.test(content) ? ERROR_PREFIX + content : content;
  return { role: 'tool', tool_call_id: toWireCallId(id, quirks), content: text };
}

function encodeAssistant(parts: readonly Part[], { names, quirks }: MessageContext): WireMessage[] {
  const text = textOf(parts);
  const thought = parts.map((part) => (part.kind === 'thinking' ? part.text : '')).join('');
  const calls = parts.flatMap((part) => (part.kind === 'tool_call' ? [encodeCall(part, { names, quirks })] : []));
  if (text === '' && calls.length === 0) return [];
  const content = text === '' && !quirks.content_text ? null : text;
  return [
    {
      role: 'assistant',
      content,
      ...(quirks.reasoning_content && thought !== '' && { reasoning_content: thought }),
      tool_calls: calls.length > 0 ? calls : undefined,
    },
  ];
}

function encodeCall(call: ToolCallPart, { names, quirks }: MessageContext): WireToolCall {
  const called = { name: names.toWire(call.name), arguments: toObjectText(call.arguments) };
  return { id: toWireCallId(call.id, quirks), type: 'function', function: called };
}

function encodeContent(parts: readonly Part[], context: MessageContext): string | WireContentPart[] {
  if (!parts.some(({ kind }) => kind === 'image')) return textOf(parts, BETWEEN_TEXTS);
  return parts.flatMap((part): WireContentPart[] => {
    if (part.kind === 'text') return [{ type: 'text', text: part.text }];
    return part.kind === 'image' ? [encodeImage(part, context)] : [];
  });
}

function encodeImage({ source, detail }: ImagePart, { quirks }: MessageContext): WireContentPart {
  if (source.kind === 'url' && quirks.no_image_urls) throw new LlmError('invalid_request', NO_IMAGE_URLS, { wording: NO_IMAGE_URLS });
  const url = source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`;
  return { type: 'image_url', image_url: { url, detail } };
}

function textOf(parts: readonly Part[], between = ''): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(between);
}

/**
 * Text that is not a JSON object becomes `{}`: several compatible servers parse it, and one bad call would make them refuse the
 * conversation for ever.
 */
function toObjectText(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? text : '{}';
  } catch {
    return '{}'; // what a model wrote is no JSON: see above
  }
}
