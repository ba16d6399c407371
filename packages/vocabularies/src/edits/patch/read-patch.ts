import { type HunkLine, type PatchOperation, PatchRefused } from './patch-parts.js';
import { readEnvelope } from './read-envelope.js';
import { readUnified } from './read-unified.js';

/** Files of one patch. */
const MAX_FILES = 200;

/**
 * Reads a patch as models write it: a unified diff, whose counts may be wrong and whose headers may lack numbers, or the format that begins
 * with `*** Begin Patch`. Words and code fences around it are passed over.
 * @throws PatchRefused
 */
export function readPatch(text: string): readonly PatchOperation[] {
  const lines = text.split('\n');
  const isEnvelope = lines.some((line) => /^\*\*\* (?:Begin Patch|Update File:|Add File:|Delete File:)/.test(line));
  const operations = joined(isEnvelope ? readEnvelope(lines) : readUnified(lines));
  if (operations.length === 0)
    throw new PatchRefused('no file is named: a patch has "--- a/path", "+++ b/path" and "@@" lines, or "*** Update File: path"');
  if (operations.length > MAX_FILES)
    throw new PatchRefused(`it is about ${String(operations.length)} files; at most ${String(MAX_FILES)} are allowed`);
  for (const operation of operations) if (isEmpty(operation)) throw new PatchRefused(`its part for ${operation.path} changes nothing`);
  return operations;
}

const isEmpty = (operation: PatchOperation): boolean => operation.kind === 'update' && operation.hunks.length === 0;

/** Several parts for one file become one. */
function joined(operations: readonly PatchOperation[]): PatchOperation[] {
  const byPath = new Map<string, PatchOperation>();
  for (const operation of operations) {
    const known = byPath.get(operation.path);
    if (known === undefined) byPath.set(operation.path, operation);
    else if (known.kind === 'update' && operation.kind === 'update')
      byPath.set(operation.path, { ...known, hunks: [...known.hunks, ...operation.hunks] });
    else throw new PatchRefused(`it does two things to ${operation.path}; use one patch for each`);
  }
  return [...byPath.values()];
}

/** The content that lines of a new file make. */
export function contentOf(lines: readonly HunkLine[]): string {
  const last = lines.at(-1);
  return lines.map(({ text }) => text).join('\n') + (last === undefined || last.noNewline === true ? '' : '\n');
}
