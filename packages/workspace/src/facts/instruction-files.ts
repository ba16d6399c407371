import { hash } from 'node:crypto';
import type { InstructionFile } from '@codelab/protocol';
import { maskSecrets } from '@codelab/tools';
import { decodeText } from '../decode-text.js';
import { MAX_FILE_BYTES, MAX_OPENED_BYTES } from './facts-limits.js';

/** A file before it is known what of it has room. */
export interface FoundFile {
  readonly path: string;
  readonly scope: InstructionFile['scope'];
  /** `too_large`: over 1 MB, not opened. `unreadable`: a link, no regular file, no permission. */
  readonly content: Buffer | 'too_large' | 'unreadable';
}

/** The beginning of a file is worth sending from so many bytes on. */
const MIN_ROOM_BYTES = 1024;

/** Whether a file of this many bytes is opened at all. */
export const isOpened = (bytes: number): boolean => bytes <= MAX_OPENED_BYTES;

/** Bytes that a text takes on the wire. */
const sizeOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** The beginning of a text that has room, up to the end of a line. */
const cutText = (text: string, room: number): string => {
  let end = Math.min(text.length, room);
  while (end > 0 && sizeOf(text.slice(0, end)) > room) end = Math.floor(end * 0.9);
  const line = text.lastIndexOf('\n', end - 1);
  return text.slice(0, line === -1 ? 0 : line + 1);
};

const readText = (content: Buffer, path: string): string | undefined => {
  try {
    return decodeText(content, path).replace(/^\uFEFF/, '');
  } catch {
    return undefined; // no text, or not in UTF-8
  }
};

/** What is sent of a file where so many bytes are left, as JSON. Secrets are masked, as in whatever leaves this machine (L1). */
export function toInstructionFile({ path, scope, content }: FoundFile, room: number): InstructionFile {
  if (typeof content === 'string') return { path, scope, bytes: 0, omitted: content };
  const known = { path, scope, sha256: hash('sha256', content), bytes: content.length };
  const text = readText(content, path);
  if (text === undefined) return { ...known, omitted: 'binary' };
  const masked = maskSecrets(text, new Set()).text;
  const most = Math.min(room, MAX_FILE_BYTES);
  if (sizeOf(masked) <= most) return { ...known, content: masked };
  if (room < MIN_ROOM_BYTES) return { ...known, omitted: 'no_room' };
  const cut = cutText(masked, most);
  return { ...known, content: cut === '' ? undefined : cut, omitted: 'cut' };
}

/** Files in the order of their weight, as long as there is room: what comes later is cut, then named only. */
export function fillRoom(found: readonly FoundFile[], room: number): readonly InstructionFile[] {
  let left = room;
  return found.map((each) => {
    const file = toInstructionFile(each, Math.max(left, 0));
    left -= file.content === undefined ? 0 : sizeOf(file.content);
    return file;
  });
}
