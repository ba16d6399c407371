import { type HunkLine, type PatchOperation, PatchRefused } from './patch-parts.js';
import { readEnvelope } from './read-envelope.js';
import { readUnified } from './read-unified.js';

/** Sections of one patch. */
const MAX_SECTIONS = 200;

/**
 * Reads a patch as models write it: a unified diff, whose counts may be wrong and whose headers may lack numbers, or the format that begins
 * with `*** Begin Patch`; in its order, where a file may have several sections. Words and code fences around it are passed over.
 * @throws PatchRefused
 */
export function readPatch(text: string): readonly PatchOperation[] {
  const lines = text.split('\n');
  const isEnvelope = lines.some((line) => /^\*\*\* (?:Begin Patch|Update File:|Add File:|Delete File:)/.test(line));
  const operations = isEnvelope ? readEnvelope(lines) : readUnified(lines);
  if (operations.length === 0)
    throw new PatchRefused('no file is named: a patch has "--- a/path", "+++ b/path" and "@@" lines, or "*** Update File: path"');
  if (operations.length > MAX_SECTIONS)
    throw new PatchRefused(`it has ${String(operations.length)} sections; at most ${String(MAX_SECTIONS)} are allowed`);
  for (const operation of operations) if (isEmpty(operation)) throw new PatchRefused(`its part for ${operation.path} changes nothing`);
  return operations;
}

const isEmpty = (operation: PatchOperation): boolean => operation.kind === 'update' && operation.hunks.length === 0;

/** The content that lines of a new file make. */
export function contentOf(lines: readonly HunkLine[]): string {
  const last = lines.at(-1);
  return lines.map(({ text }) => text).join('\n') + (last === undefined || last.noNewline === true ? '' : '\n');
}
