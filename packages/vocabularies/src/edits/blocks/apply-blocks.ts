import { type FileLine, type FileLines, joinFile, splitFile, usualEnd } from '../file-lines.js';
import { findRuns } from '../find-runs.js';
import type { EditFault } from '../replace.js';
import { findTolerant } from '../tolerant.js';
import { type Block, findBlockFault } from './parse-blocks.js';

export type AppliedBlocks =
  | {
      readonly ok: true;
      readonly content: string;
      /** Blocks, from 1, with the lines, first and last, that were taken for equal apart from indentation. */
      readonly tolerated: readonly { readonly block: number; readonly lines: readonly [number, number] }[];
    }
  /** `block`: from 1. */
  | { readonly ok: false; readonly block: number; readonly fault: EditFault };

/**
 * Puts blocks into a file: in order, each on the result of the one before, all or none. The lines of a SEARCH must stand there exactly once
 * as whole lines; line ends are taken as equal, and what is written takes those of the lines that it replaces. If they stand nowhere so, one
 * change of indentation of all of them is tolerated.
 */
export function applyBlocks(content: string, blocks: readonly Block[]): AppliedBlocks {
  let file = splitFile(content);
  const tolerated: { readonly block: number; readonly lines: readonly [number, number] }[] = [];
  for (const [place, block] of blocks.entries()) {
    const fit = fitBlock(file, block);
    if ('kind' in fit) return { ok: false, block: place + 1, fault: fit };
    if (fit.tolerated) tolerated.push({ block: place + 1, lines: [fit.at + 1, fit.at + block.search.length] });
    file = { bom: file.bom, lines: writeBlock(file.lines, block, fit) };
  }
  return { ok: true, content: joinFile(file), tolerated };
}

interface BlockFit {
  /** The first line, from 0. */
  readonly at: number;
  readonly replace: readonly string[];
  readonly tolerated: boolean;
}

function fitBlock(file: FileLines, block: Block): BlockFit | EditFault {
  const { lines } = file;
  const { search, replace } = block;
  if (findBlockFault([block]) !== undefined) return { kind: 'same' };
  const found = search.length === 0 ? [0] : findBlock(lines, search);
  if (found.length > 1) return { kind: 'many', lines: found.map((line) => line + 1) };
  const [at] = found;
  if (at !== undefined) return { at, replace, tolerated: false };
  const texts = lines.map(({ text }) => text);
  const fit = findTolerant(texts, search, replace);
  return fit === undefined ? { kind: 'missing', content: joinFile(file), needle: search.join('\n') } : { ...fit, tolerated: true };
}

function writeBlock(lines: readonly FileLine[], { search }: Block, { at, replace }: BlockFit): FileLine[] {
  const range = lines.slice(at, at + search.length);
  const end = usualEnd(range) ?? usualEnd(lines) ?? '\n';
  const written = replace.map((line): FileLine => (hasReturn(search) ? withOwnEnd(line) : { text: line, end }));
  if (range.at(-1)?.end === '' && written.length > 0) written.push({ ...written.pop()!, end: '' });
  return [...lines.slice(0, at), ...written, ...lines.slice(at + search.length)];
}

const hasReturn = (lines: readonly string[]): boolean => lines.some((line) => line.includes('\r'));

/** Lines that were searched with their `\r` are written with theirs. */
const withOwnEnd = (line: string): FileLine => (line.endsWith('\r') ? { text: line.slice(0, -1), end: '\r\n' } : { text: line, end: '\n' });

/** Places of the lines in the file: exact ones if there are any, else those that differ in line ends only. */
function findBlock(lines: readonly FileLine[], search: readonly string[]): number[] {
  if (hasReturn(search))
    return findRuns(
      lines.map(({ text, end }) => (end === '\r\n' ? `${text}\r` : text)),
      search,
    );
  const found = findRuns(
    lines.map(({ text }) => text),
    search,
  );
  const others = [0];
  for (const { end } of lines) others.push(others.at(-1)! + (end === '\n' ? 0 : 1));
  const exact = found.filter((at) => others[at] === others[at + search.length - 1]);
  return exact.length === 0 ? found : exact;
}
