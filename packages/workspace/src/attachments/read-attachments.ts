import { LIMITS, type Attachment, type ImageType } from '@codelab/protocol';
import { findSecretReason } from '@codelab/tools';
import { decodeText } from '../decode-text.js';
import type { FileState } from '../files/paths/file-state.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import type { WorkspaceFiles } from '../files/workspace-files.js';
import { ToolFailure } from '../tool-failure.js';
import type { AttachmentSpec } from './parse-mentions.js';
import { MAX_IMAGE_BYTES } from './read-image-file.js';

const startsWith = (content: Buffer, text: string, at = 0): boolean => content.toString('latin1', at, at + text.length) === text;

/** What kind of image a file is, by its first bytes and not by its name; `undefined` for none that a model takes. */
function findImageType(content: Buffer): ImageType | undefined {
  if (startsWith(content, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (startsWith(content, '\xff\xd8\xff')) return 'image/jpeg';
  if (startsWith(content, 'GIF87a') || startsWith(content, 'GIF89a')) return 'image/gif';
  return startsWith(content, 'RIFF') && startsWith(content, 'WEBP', 8) ? 'image/webp' : undefined;
}

export interface ReadAttachmentsOptions {
  /** Paths of files that look like secrets and are sent all the same, because the human said so. */
  readonly allowSecrets?: ReadonlySet<string>;
}

/** Files of one message: the wire carries no more. */
export const MAX_ATTACHMENTS = 32;

/** All of one message, in characters: a frame carries 10 MB, and escapes need room. */
const MAX_TOGETHER = 8 * 1024 * 1024;

const cutLines = (text: string, { path, lines = '' }: AttachmentSpec): string => {
  const [first = 0, last = first] = lines.split('-').map(Number);
  if (!/^\d+(-\d+)?$/.test(lines) || first < 1 || last < first)
    throw new ToolFailure('INVALID_ARGUMENTS', `${path}:${lines} names no lines; write 10 or 10-20, the first line is 1.`);
  const all = text.split(/(?<=\n)/);
  if (first > all.length)
    throw new ToolFailure('INVALID_ARGUMENTS', `${path} has ${String(all.length)} lines; ${lines} is behind its end.`);
  return all.slice(first - 1, last).join('');
};

const toImage = (spec: AttachmentSpec, { content, sha256 }: FileState, type: ImageType): Attachment => {
  if (spec.lines !== undefined) throw new ToolFailure('INVALID_ARGUMENTS', `${spec.path} is an image; it has no lines.`);
  return { path: spec.path, sha256, content: content.toString('base64'), media_type: type };
};

const toText = (spec: AttachmentSpec, { content, sha256 }: FileState): Attachment => {
  if (content.length > LIMITS.MAX_FILE_BYTES)
    throw new ToolFailure(
      'FILE_TOO_LARGE',
      `${spec.path} has ${String(content.length)} bytes; a text that is attached has at most ${String(LIMITS.MAX_FILE_BYTES)}.`,
    );
  const text = decodeText(content, spec.path);
  if (spec.lines === undefined) return { path: spec.path, sha256, content: text };
  return { path: spec.path, lines: spec.lines, sha256, content: cutLines(text, spec) };
};

const readOne = async (files: WorkspaceFiles, spec: AttachmentSpec, allowed: ReadonlySet<string>): Promise<Attachment> => {
  const place = toWorkspacePath(spec.path);
  const secret = findSecretReason(place.text);
  if (secret !== undefined && !allowed.has(place.text) && !allowed.has(spec.path))
    throw new ToolFailure('PERMISSION_DENIED', `${place.text} is not attached: ${secret}. Say so if you want it sent all the same.`);
  const state = await files.read(place, MAX_IMAGE_BYTES);
  if (state === undefined) throw new ToolFailure('FILE_NOT_FOUND', `There is no file ${place.text}.`);
  const named = { ...spec, path: place.text };
  const image = findImageType(state.content);
  return image === undefined ? toText(named, state) : toImage(named, state, image);
};

/** Throws `ToolFailure`, with the limit and the figure, where one message can't carry all of these. */
export function assertCarried(attachments: readonly Attachment[]): void {
  if (attachments.length > MAX_ATTACHMENTS) throw tooMany(attachments.length);
  const together = attachments.reduce((sum, { content = '' }) => sum + content.length, 0);
  if (together > MAX_TOGETHER)
    throw new ToolFailure(
      'FILE_TOO_LARGE',
      `With ${attachments.at(-1)?.path ?? ''} the attachments have ${String(together)} characters; a message carries at most ${String(MAX_TOGETHER)}.`,
    );
}

const tooMany = (count: number): ToolFailure =>
  new ToolFailure('INVALID_ARGUMENTS', `${String(count)} files are attached; a message carries at most ${String(MAX_ATTACHMENTS)}.`);

/**
 * Reads the files that go with a message, as they are at this moment: texts in UTF-8, all or some lines, and images. Only files of the
 * workspace (W1).
 *
 * @throws ToolFailure with the path, the limit and the figure
 */
export async function readAttachments(
  files: WorkspaceFiles,
  specs: readonly AttachmentSpec[],
  { allowSecrets = new Set() }: ReadAttachmentsOptions = {},
): Promise<readonly Attachment[]> {
  if (specs.length > MAX_ATTACHMENTS) throw tooMany(specs.length);
  const read: Attachment[] = [];
  for (const spec of specs) {
    read.push(await readOne(files, spec, allowSecrets));
    assertCarried(read);
  }
  return read;
}
