import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '@codelab/tools';
import type { ContextItem, ResultImage, UseResult } from '../table/row.js';
import { fitText } from './fit-text.js';
import { toIcon } from './render-items.js';

/** What a content block of MCP comes to. */
interface Block {
  readonly text?: string;
  readonly image?: ResultImage;
  readonly item?: ContextItem;
}

/** Kinds of images that every provider takes. */
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** Pictures of one result, and characters of one in base64. */
const MAX_IMAGES = 8;
const MAX_IMAGE = 4 * 1024 * 1024;
const MAX_ITEMS = 100;

/**
 * The result of an MCP tool (`CallToolResult`): texts as they are, images as images, embedded resources as text under their address, links as
 * one line each, and `structuredContent` as JSON where no text says it already. `isError` tells the model that the use failed. A result that is
 * none of MCP's is read as the JSON that it is.
 */
export function renderMcp(result: JsonObject, tool: string): UseResult {
  const { content, structuredContent, isError } = result;
  if (!Array.isArray(content) && structuredContent === undefined) return { text: fitText(JSON.stringify(result)) };
  const blocks = (Array.isArray(content) ? content : []).map((block: unknown) => toBlock(block, tool));
  const texts = blocks.flatMap(({ text }) => text ?? []);
  const structured = structuredContent === undefined ? undefined : JSON.stringify(structuredContent);
  const said = structured === undefined || texts.some((text) => says(text, structuredContent, structured));
  const images = blocks.flatMap(({ image }) => image ?? []);
  const lost = images.length - MAX_IMAGES;
  const all = [...texts, ...(said ? [] : [structured]), ...(lost > 0 ? [`[${String(lost)} more pictures are left out]`] : [])];
  const items = blocks.flatMap(({ item }) => item ?? []);
  return {
    text: images.length > 0 && all.join('').trim() === '' ? '(a picture)' : fitText(all.join('\n\n')),
    ...(items.length > 0 && { items: items.slice(0, MAX_ITEMS) }),
    ...(images.length > 0 && { images: images.slice(0, MAX_IMAGES) }),
    ...(isError === true && { isError }),
  };
}

/** Whether a text is the JSON of a value, or has it in it: `json`, which is the same for all texts. */
const says = (text: string, value: unknown, json: string): boolean => {
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return text.includes(json);
  }
};

const toBlock = (block: unknown, tool: string): Block => {
  const { type, text, data, mimeType, resource } = isJsonObject(block) ? block : {};
  const kind = typeof mimeType === 'string' ? mimeType : 'of no kind';
  if (type === 'text' && typeof text === 'string') return { text, item: { name: tool, description: 'Text', content: text } };
  if (type === 'image' && typeof data === 'string') return toImage(kind, data);
  if (type === 'audio' && typeof data === 'string') return { text: `[a sound (${kind}), which is not passed on]` };
  if (type === 'resource' && isJsonObject(resource)) return toResource(resource);
  if (type === 'resource_link' && isJsonObject(block)) return toLink(block);
  return { text: JSON.stringify(block) };
};

const toImage = (mediaType: string, data: string): Block => {
  if (!IMAGES.has(mediaType)) return { text: `[a picture (${mediaType}), which models do not take]` };
  if (data.length > MAX_IMAGE) return { text: `[a picture (${mediaType}) over 3 MB, which is left out]` };
  return { image: { mediaType, data } };
};

const toResource = ({ uri, mimeType, text, blob }: JsonObject): Block => {
  const address = typeof uri === 'string' ? uri : 'a resource';
  if (typeof text === 'string') {
    return { text: `${address}:\n${text}`, item: { name: lastOf(address), description: 'Resource', content: text, uri: address } };
  }
  const kind = typeof mimeType === 'string' ? mimeType : 'of no kind';
  if (typeof blob === 'string' && IMAGES.has(kind)) return { ...toImage(kind, blob), text: `${address}:` };
  return { text: `[${address} (${kind}) has no text]` };
};

const toLink = ({ uri, name, title, description, icons }: JsonObject): Block => {
  const address = typeof uri === 'string' ? uri : '';
  const [label = address] = [title, name].filter((one) => typeof one === 'string' && one !== '') as string[];
  const words = typeof description === 'string' ? description : '';
  const [icon] = (Array.isArray(icons) ? icons : []).map((one: unknown) => (isJsonObject(one) ? toIcon(one.src) : undefined));
  return {
    text: `${label}: ${address}${words === '' ? '' : ` (${words})`}`,
    item: { name: label.slice(0, 200), description: words.slice(0, 200), content: '', uri: address, icon },
  };
};

const lastOf = (address: string): string => address.split('/').findLast((part) => part !== '') ?? address;
