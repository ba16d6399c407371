import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { LIMITS, type Attachment, type ImageType } from '@codelab/protocol';
import { readMediaHeader } from '../media/image-header.js';
import { ToolFailure } from '../tool-failure.js';

/** An image, in bytes; base64 makes four of three. */
export const MAX_IMAGE_BYTES = (LIMITS.MAX_ATTACHMENT_CHARACTERS / 4) * 3;

/**
 * Reads an image that the human pointed at, wherever it lies: what it is its first bytes say, and nothing else is ever read so. It goes by the
 * last name of its path, since a model can't open it.
 *
 * @throws ToolFailure with the path, the limit and the figure
 */
export async function readImageFile(path: string): Promise<Attachment> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (file === undefined) throw new ToolFailure('FILE_NOT_FOUND', `There is no file ${path} that can be read.`);
  try {
    return await readOpened(file, path);
  } finally {
    await file.close();
  }
}

async function readOpened(file: FileHandle, path: string): Promise<Attachment> {
  const found = await file.stat();
  if (!found.isFile()) throw new ToolFailure('INVALID_PATH', `${path} is no file.`);
  if (found.size > MAX_IMAGE_BYTES)
    throw new ToolFailure('FILE_TOO_LARGE', `${path} has ${String(found.size)} bytes; an image has at most ${String(MAX_IMAGE_BYTES)}.`);
  const content = Buffer.alloc(found.size);
  const { bytesRead } = await file.read(content, 0, found.size, 0);
  const bytes = content.subarray(0, bytesRead);
  const type = readMediaHeader(bytes)?.mediaType;
  if (type === undefined || !isImage(type)) throw new ToolFailure('ENCODING_ERROR', `${path} is no PNG, JPEG, GIF or WebP image.`);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path: basename(path), sha256, content: bytes.toString('base64'), media_type: type };
}

const isImage = (type: string): type is ImageType => type.startsWith('image/');
