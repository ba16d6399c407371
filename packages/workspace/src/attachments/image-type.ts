import type { ImageType } from '@codelab/protocol';

const startsWith = (content: Buffer, text: string, at = 0): boolean => content.toString('latin1', at, at + text.length) === text;

/** What kind of image a file is, by its first bytes and not by its name; `undefined` for none that a model takes. */
export function findImageType(content: Buffer): ImageType | undefined {
  if (startsWith(content, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (startsWith(content, '\xff\xd8\xff')) return 'image/jpeg';
  if (startsWith(content, 'GIF87a') || startsWith(content, 'GIF89a')) return 'image/gif';
  return startsWith(content, 'RIFF') && startsWith(content, 'WEBP', 8) ? 'image/webp' : undefined;
}
