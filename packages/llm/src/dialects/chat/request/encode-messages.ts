import { toObjectText } from '../../../json/read-json.js';
import { LlmError } from '../../../errors/llm-error.js';
import type { Folded, Growth } from '../../../canonical/growth.js';
import type { ImagePart, Message, Part, ToolCallPart, ToolResultPart } from '../../../canonical/message.js';
import { GrowingJson } from '../../../json/index.js';
import type { Quirks } from '../../../quirks.js';
import type { ToolNames } from '../../../names/tool-names.js';
import { toWireCallId } from '../../../names/provider-call-id.js';
import type { WireContentPart, WireMessage, WireToolCall } from '../wire.js';

/** What an error result begins with, where it doesn't say already that it is one: there is no other place for it. */
const ERROR_PREFIX = 'Error: ';
const SAYS_ERROR = /^\s*error\b/i;

/** Texts of an instruction or of the user are apart, as blocks are: many servers take one text only. */
const BETWEEN_TEXTS = '\n\n';

export interface MessageContext {
  readonly names: ToolNames;
  readonly quirks: Quirks;
}

/**
 * Writes a conversation. Results stand first in their turn, directly after the call (RQ17, RQ18); their images, for which a tool message
 * has no place, come in one message of the user after all of them (RQ19).
 * @param growth of the conversation, where it goes on: what was written before comes as one text
 */
export function encodeMessages(messages: readonly Message[], context: MessageContext, growth?: Growth): WireMessage[] {
  const encoded: WireMessage[] = [];
  const written = growth && fold(messages, context, growth);
  if (written !== undefined && written.count > 0) encoded.push(written.sum.text.json.as());
  const images = [...(written?.sum.images ?? [])];
  for (const message of written === undefined ? messages : messages.slice(written.count)) {
    for (const wire of encodeMessage(message, images, context)) encoded.push(wire);
  }
  if (images.length > 0) encoded.push(encodeImages(images, context));
  return encoded;
}

/** What was written of a conversation: its text, and the images of results that wait for the end of them. */
interface Written {
  readonly text: GrowingJson;
  readonly images: ImagePart[];
}

/** Characters that one request adds to what is written at most: the rest of a long conversation is written in slices, by who sends it. */
const SLICE_CHARACTERS = 512 * 1024;

function fold(messages: readonly Message[], context: MessageContext, growth: Growth): Folded<Written> {
  const { content_text, reasoning_content, tool_call_ids, no_image_urls } = context.quirks;
  let characters = 0;
  return growth.fold<Written>(messages, {
    key: encodeMessages,
    of: [context.names, content_text, reasoning_content, tool_call_ids, no_image_urls],
    begin: () => ({ text: new GrowingJson(), images: [] }),
    add: ({ text, images }, message) => {
      for (const wire of encodeMessage(message, images, context)) characters += text.add(wire);
      return characters < SLICE_CHARACTERS;
    },
  });
}

/** One message in the words of the dialect, behind `images` of the results before it if it says something itself. */
function encodeMessage({ role, parts }: Message, images: ImagePart[], context: MessageContext): WireMessage[] {
  const results = parts.filter((part) => part.kind === 'tool_result');
  const rest = results.length > 0 ? parts.filter(({ kind }) => kind !== 'tool_result') : parts;
  const encoded = results.map((result) => encodeResult(result, context));
  for (const result of results) images.push(...(result.images ?? []));
  if (role === 'tool' || (results.length > 0 && rest.length === 0)) return encoded;
  if (images.length > 0) encoded.push(encodeImages(images.splice(0), context));
  return [...encoded, ...encodeSaid(role, rest, context)];
}

const encodeImages = (images: readonly ImagePart[], context: MessageContext): WireMessage => ({
  role: 'user',
  content: images.map((image) => encodeImage(image, context)),
});

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

/** Why a request with an image by URL is refused: the server doesn't fetch, and neither do we. */
export const NO_IMAGE_URLS = 'the server of this model takes images as data URLs (data:image/png;base64,…) only, not by http URL';
