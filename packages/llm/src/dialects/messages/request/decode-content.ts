import { decodeCacheMark } from '../../../canonical/cache-marks.js';
import type { ImagePart, TextPart } from '../../../canonical/message.js';
import { asList, asObject, asText, type Fields } from '../../../json/read-json.js';

/**
 * Reads content that was said or found: a text, or blocks. Texts and images are kept; a document or a search result is kept as far as it is
 * text, and named where it isn't. What only Anthropic's servers can use is left out.
 */
export function decodeContent(content: unknown): (TextPart | ImagePart)[] {
  if (typeof content === 'string') return toText(content);
  return asList(content).flatMap((block) => decodeBlock(asObject(block)));
}

function decodeBlock(block: Fields): (TextPart | ImagePart)[] {
  const cache = decodeCacheMark(block.cache_control);
  const parts = decodeUnmarked(block);
  const last = parts.at(-1);
  return cache && last ? [...parts.slice(0, -1), { ...last, cache }] : parts;
}

function decodeUnmarked(block: Fields): (TextPart | ImagePart)[] {
  switch (block.type) {
    case 'text':
      return toText(block.text);
    case 'image':
      return decodeImage(asObject(block.source));
    case 'document':
      return decodeDocument(block);
    case 'search_result': {
      const head = [asText(block.title), asText(block.source)].filter((text) => text !== undefined).join(': ');
      return [...toText(head), ...decodeContent(block.content)];
    }
    case 'tool_reference': // what a search for tools found: other models have every tool at hand
      return toText(`Tool: ${asText(block.tool_name) ?? ''}`);
    default:
      return [];
  }
}

function decodeImage({ type, media_type, data, url }: Fields): (TextPart | ImagePart)[] {
  if (type === 'base64') return [{ kind: 'image', source: { kind: 'base64', mediaType: media_type as string, data: data as string } }];
  if (type === 'url') return [{ kind: 'image', source: { kind: 'url', url: url as string } }];
  return toText('[An image that is kept at another provider, and not shown here.]');
}

function decodeDocument({ title, context, source }: Fields): (TextPart | ImagePart)[] {
  const { type, data, content, media_type } = asObject(source);
  const head = [asText(title), asText(context)].flatMap((text) => (text === undefined ? [] : toText(text)));
  if (type === 'text') return [...head, ...toText(data)];
  if (type === 'content') return [...head, ...decodeContent(content)];
  return [...head, ...toText(`[A document (${asText(media_type) ?? 'by reference'}) that this model can't read, and is not shown here.]`)];
}

function toText(text: unknown): TextPart[] {
  return typeof text === 'string' && text !== '' ? [{ kind: 'text', text }] : [];
}
