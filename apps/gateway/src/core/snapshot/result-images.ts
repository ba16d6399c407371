import type { SessionReads, SessionRef } from '@codelab/bus';

/** A picture that came of a call; `data` is base64. */
export interface ResultImage {
  readonly media_type: ImageType;
  readonly data: string;
}

/** A picture as the conversation names it: what it is and how large, not its bytes. */
export interface NamedImage {
  readonly media_type: ImageType;
  readonly bytes: number;
}

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
type ImageType = (typeof IMAGE_TYPES)[number];

/** How each begins. What says that it is a picture and begins otherwise is none; an SVG is a document, and never one here. */
const BEGINS: Readonly<Record<ImageType, RegExp>> = {
  'image/png': /^iVBORw0KGgo/,
  'image/jpeg': /^\/9j\//,
  'image/gif': /^R0lGOD(?:lh|dh)/,
  'image/webp': /^UklGR.{5}[A-Za-z0-9+/]{2}XRUJQ/,
};
const FOREIGN = /[^A-Za-z0-9+/]/;

/** Looked for what must not be in it: an expression for the whole would remember each of some million characters. */
function isBase64(data: string): boolean {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return !FOREIGN.test(data.slice(0, data.length - padding));
}

/** Pictures of one call, and characters of base64 of all of them: with the rest of an answer they fit a frame. */
const MAX_IMAGES = 10;
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Items of the history that are looked at, from its end, and how many at a time. */
const MAX_LOOKED_AT = 1_000;
const LOOKED_AT_ONCE = 25;

const IS_TOOL = /^\{"role":"tool"/;

interface StoredResult {
  readonly content?: unknown;
  readonly images?: unknown;
}

/** Pictures in a stored result: those beside its text, and those in the JSON that a model which calls the tool itself is given. */
export function imagesOf({ content, images }: StoredResult): readonly ResultImage[] {
  const found: ResultImage[] = [];
  for (const value of [...(Array.isArray(images) ? (images as unknown[]) : []), ...partsOf(content)]) {
    const { media_type: mediaType, type = mediaType, data } = (value ?? {}) as Readonly<Record<string, unknown>>;
    const known = IMAGE_TYPES.find((one) => one === type);
    if (known !== undefined && typeof data === 'string' && BEGINS[known].test(data) && isBase64(data))
      found.push({ media_type: known, data });
  }
  return found;
}

/** The result itself, and the parts of the lists in it. */
function partsOf(content: unknown): readonly unknown[] {
  if (typeof content !== 'string' || !content.startsWith('{') || !content.includes('"data"')) return [];
  try {
    const result = JSON.parse(content) as Readonly<Record<string, unknown>>;
    return [result, ...Object.values(result).flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : []))];
  } catch {
    return []; // it only looks like JSON
  }
}

/** A stored result without the bytes of its pictures: `images` names them. Other results are as they were. */
export function nameImages<T extends StoredResult>(item: T): T {
  const images = imagesOf(item);
  if (images.length === 0) return item;
  const named = images.map(({ media_type, data }): NamedImage => ({ media_type, bytes: bytesOf(data) }));
  let { content } = item;
  if (typeof content === 'string')
    for (const { data } of images) content = (content as string).replace(data, `(a picture of ${String(bytesOf(data))} bytes)`);
  return { ...item, content, images: named };
}

const bytesOf = (data: string): number => Math.floor((data.length * 3) / 4) - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);

/** The pictures that came of a call, as many as one answer carries; `undefined`: its result isn't in the conversation, or not yet. */
export async function readImages(
  store: Pick<SessionReads, 'readHistory' | 'readMeta'>,
  session: SessionRef,
  callId: string,
): Promise<readonly ResultImage[] | undefined> {
  const name = `"call_id":${JSON.stringify(callId)}`;
  let end = (await store.readMeta(session))?.historyVersion ?? 0;
  for (const least = Math.max(0, end - MAX_LOOKED_AT); end > least; end -= LOOKED_AT_ONCE) {
    const from = Math.max(0, end - LOOKED_AT_ONCE);
    const { items } = await store.readHistory(session, { from, limit: end - from });
    const text = items.findLast((item) => IS_TOOL.test(item) && item.includes(name));
    if (text !== undefined) return withinBounds(imagesOf(JSON.parse(text) as StoredResult));
  }
  return undefined;
}

function withinBounds(images: readonly ResultImage[]): readonly ResultImage[] {
  let characters = 0;
  return images.slice(0, MAX_IMAGES).filter(({ data }) => (characters += data.length) <= MAX_CHARACTERS);
}
