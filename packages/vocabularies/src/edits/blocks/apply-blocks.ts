import { type FileLine, type FileLines, joinFile, splitFile, usualEnd } from './file-lines.js';
import { findLines } from './find-lines.js';
import type { Block } from './parse-blocks.js';

/** Why a block doesn't fit; lines are counted from 1. */
export type BlockFault =
  | { readonly kind: 'same' }
  | { readonly kind: 'missing'; readonly content: string; readonly needle: string }
  | { readonly kind: 'many'; readonly lines: readonly number[] };

export type AppliedBlocks =
  | { readonly ok: true; readonly content: string }
  /** `block`: from 1. */
  | { readonly ok: false; readonly block: number; readonly fault: BlockFault };

/**
 * Puts blocks into a file: in order, each on the result of the one before, all or none. The lines of a SEARCH must stand there exactly once
 * as whole lines; line ends are taken as equal, and what is written takes those of the lines that it replaces.
 */
export function applyBlocks(content: string, blocks: readonly Block[]): AppliedBlocks {
  let file = splitFile(content);
  for (const [place, block] of blocks.entries()) {
    const lines = applyBlock(file, block);
    if ('kind' in lines) return { ok: false, block: place + 1, fault: lines };
    file = { bom: file.bom, lines };
  }
  return { ok: true, content: joinFile(file) };
}

function applyBlock(file: FileLines, { search, replace }: Block): FileLine[] | BlockFault {
  const { lines } = file;
  if (search.length === replace.length && search.every((line, place) => line === replace[place])) return { kind: 'same' };
  const found = search.length === 0 ? [0] : findBlock(lines, search);
  if (found.length > 1) return { kind: 'many', lines: found.map((line) => line + 1) };
  const [at] = found;
  if (at === undefined) return { kind: 'missing', content: joinFile(file), needle: search.join('\n') };
  const range = lines.slice(at, at + search.length);
  const end = usualEnd(range) ?? usualEnd(lines) ?? '\n';
  const written = replace.map((line): FileLine => (hasReturn(search) ? withOwnEnd(line) : { text: line, end }));
  const last = range.at(-1);
  if (last?.end === '' && written.length > 0) written.push({ ...written.pop()!, end: '' });
  return [...lines.slice(0, at), ...written, ...lines.slice(at + search.length)];
}

const hasReturn = (lines: readonly string[]): boolean => lines.some((line) => line.includes('\r'));

/** Lines that were searched with their `\r` are written with theirs. */
const withOwnEnd = (line: string): FileLine => (line.endsWith('\r') ? { text: line.slice(0, -1), end: '\r\n' } : { text: line, end: '\n' });

/** Places of the lines in the file: exact ones if there are any, else those that differ in line ends only. */
function findBlock(lines: readonly FileLine[], search: readonly string[]): number[] {
  if (hasReturn(search))
    return findLines(
      lines.map(({ text, end }) => (end === '\r\n' ? `${text}\r` : text)),
      search,
    );
  const found = findLines(
    lines.map(({ text }) => text),
    search,
  );
  const exact = found.filter((at) => lines.slice(at, at + search.length - 1).every(({ end }) => end === '\n'));
  return exact.length === 0 ? found : exact;
}
