import { type HunkLine, type PatchOperation, PatchRefused } from './patch-parts.js';
import { readHunks } from './read-hunks.js';

const FILE = /^\*\*\* (Update|Add|Delete) File:\s*(.+?)\s*$/;
const MOVE = /^\*\*\* Move to:\s*(.+?)\s*$/;
const isMark = (line: string): boolean => /^\*\*\* (?:Begin Patch|End Patch|(?:Update|Add|Delete) File:|Move to:)/.test(line);

/** Reads `*** Begin Patch`, `*** Update File: path`, `*** Move to: path`, `@@ line above`, … */
export function readEnvelope(lines: readonly string[]): PatchOperation[] {
  const operations: PatchOperation[] = [];
  let row = 0;
  while (row < lines.length) {
    const file = FILE.exec(lines[row]!);
    row += 1;
    if (file === null) continue;
    const [, verb, path] = file as unknown as [string, 'Update' | 'Add' | 'Delete', string];
    if (verb === 'Delete') {
      operations.push({ kind: 'delete', path, hunks: [] });
      continue;
    }
    if (verb === 'Add') {
      const end = endOf(lines, row);
      operations.push({ kind: 'add', path, lines: added(lines.slice(row, end), path) });
      row = end;
      continue;
    }
    const to = MOVE.exec(lines[row] ?? '')?.[1];
    if (to !== undefined) row += 1;
    // headers of a unified diff that a model puts in, too
    if (/^--- /.test(lines[row] ?? '') && /^\+\+\+ /.test(lines[row + 1] ?? '')) row += 2;
    const { hunks, next } = readHunks(lines, row, (at) => isMark(lines[at]!));
    operations.push(to === undefined ? { kind: 'update', path, hunks } : { kind: 'move', path, to, hunks });
    row = next;
  }
  return operations;
}

const endOf = (lines: readonly string[], from: number): number => {
  const end = lines.findIndex((line, row) => row >= from && isMark(line));
  return end < 0 ? lines.length : end;
};

function added(given: readonly string[], path: string): HunkLine[] {
  const lines = given.map((line) => line.replace(/\r$/, '')).filter((line) => !line.startsWith('@@') && line !== '*** End of File');
  while (lines.at(-1) === '') lines.pop();
  const signed = lines.filter((line) => line.startsWith('+')).length;
  if (signed > 0 && lines.some((line) => line !== '' && !line.startsWith('+')))
    throw new PatchRefused(`every line of the new file ${path} begins with "+"`);
  return lines.map((line) => ({ sign: '+', text: signed > 0 ? line.slice(1) : line }));
}
