import type { AttachedFile, HistoryItem, UserItem } from './history-item.js';
import type { ImagePart, Part } from '../canonical/message.js';

/** Characters of one attached text that a model reads; the client can be asked for the rest by tools. */
const MAX_TEXT_CHARACTERS = 256 * 1024;
/** Images of one request, the latest count: providers take few, and each costs again with every request. */
const MAX_IMAGES = 16;
/** Base64 characters of the images of one request: about 15 MB, less than any provider refuses. */
const MAX_IMAGE_CHARACTERS = 20 * 1024 * 1024;

const IMAGE_TYPE = /^image\/(?:png|jpeg|gif|webp)$/;
const NOT_BASE64 = /[^A-Za-z0-9+/]/;

/** Looks for what is wrong: a pattern that matches megabytes as a whole can run out of stack. */
const isBase64 = (text: string): boolean => text !== '' && !NOT_BASE64.test(text.replace(/={1,2}$/, ''));

const isImage = ({ media_type, content }: AttachedFile): boolean =>
  media_type !== undefined && IMAGE_TYPE.test(media_type) && content !== undefined && isBase64(content);

/** The images of a history that go into a request: the latest that fit. */
export function pickImages(items: readonly HistoryItem[]): ReadonlySet<AttachedFile> {
  const picked = new Set<AttachedFile>();
  let left = MAX_IMAGE_CHARACTERS;
  for (const item of items.toReversed()) {
    if (item.role !== 'user') continue;
    for (const file of (item.attachments ?? []).toReversed()) {
      if (!isImage(file)) continue;
      left -= file.content!.length;
      if (left < 0 || picked.size === MAX_IMAGES) return picked;
      picked.add(file);
    }
  }
  return picked;
}

/**
 * What a model reads of a message: the text, the attached files by name and lines, what the client read of them, and their images. Each image
 * that is left out is named as one.
 * @param images those that go into the request
 */
export function userParts(item: UserItem, images: ReadonlySet<AttachedFile>): Part[] {
  const files = item.attachments ?? [];
  if (files.length === 0) return [{ kind: 'text', text: item.content }];
  const names = files.map(
    (file) => nameOf(file) + (file.media_type === undefined || images.has(file) ? '' : ' (an image, not shown here)'),
  );
  const contents = files.map((file) => textOf(file)).join('');
  const text = `${item.content}\n\nAttached files: ${names.join(', ')}${contents}`;
  return [{ kind: 'text', text }, ...files.filter((file) => images.has(file)).map(toImage)];
}

const nameOf = ({ path, lines }: AttachedFile): string => (lines === undefined ? path : `${path} (lines ${describeLines(lines)})`);

function textOf(file: AttachedFile): string {
  const { content, media_type } = file;
  if (content === undefined || media_type !== undefined) return '';
  const isCut = content.length > MAX_TEXT_CHARACTERS;
  const shown = isCut ? `${content.slice(0, MAX_TEXT_CHARACTERS)}\n… (cut: the file has ${String(content.length)} characters)` : content;
  return `\n\n<file name=${JSON.stringify(nameOf(file))}>\n${shown}\n</file>`;
}

const toImage = ({ media_type, content }: AttachedFile): ImagePart => ({
  kind: 'image',
  source: { kind: 'base64', mediaType: media_type!, data: content! }, // both are there: it was picked
});

function describeLines(lines: unknown): string {
  if (Array.isArray(lines)) return lines.join('-');
  return typeof lines === 'string' || typeof lines === 'number' ? String(lines) : JSON.stringify(lines);
}
