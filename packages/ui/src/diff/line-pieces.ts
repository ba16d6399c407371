import { changeRuns, comparePair, languageOf, partnerOf, type ChangeRun, type DiffHunk, type DiffLine } from '@codelab/tools/patch';
import { highlightLines, isKnownLanguage, type CodeKind, type CodePiece } from '../code/highlight-code.js';

/** A stretch of a line of a diff: its colour, and whether the other side has something else there. */
export interface LinePiece {
  readonly text: string;
  readonly kind?: CodeKind | undefined;
  readonly changed: boolean;
}

/** Lines that get their colours together: what is looked at is coloured, and not all of a diff. */
const BLOCK = 300;

/** The colours and the words of lines, worked out when a line is looked at, and kept as long as its hunk. */
class HunkPieces {
  private readonly blocks = new Map<number, ReadonlyMap<number, readonly CodePiece[]>>();
  private readonly lines = new Map<number, readonly LinePiece[]>();
  private readonly runs: readonly ChangeRun[];

  constructor(
    private readonly hunk: DiffHunk,
    private readonly language: string,
  ) {
    this.runs = changeRuns(hunk.lines);
  }

  of(index: number): readonly LinePiece[] {
    const known = this.lines.get(index);
    if (known !== undefined) return known;
    const pieces = overlay(this.colours(index), this.words(index));
    this.lines.set(index, pieces);
    return pieces;
  }

  private colours(index: number): readonly CodePiece[] {
    const plain = [{ text: this.hunk.lines[index]!.text }];
    if (this.language === '') return plain;
    const number = Math.floor(index / BLOCK);
    const block = this.blocks.get(number) ?? colourBlock(this.hunk.lines, number * BLOCK, this.language);
    this.blocks.set(number, block);
    return block.get(index) ?? plain;
  }

  /** Marked is what differs: a line without a partner differs as a whole, and nothing of it is marked. */
  private words(index: number): readonly { readonly text: string; readonly changed: boolean }[] {
    const { lines } = this.hunk;
    const { kind, text } = lines[index]!;
    const run = kind === 'context' ? undefined : findRun(this.runs, index);
    const partner = run && partnerOf(run, index);
    if (partner === undefined) return [{ text, changed: false }];
    const other = lines[partner]!.text;
    const pair = kind === 'removed' ? comparePair(text, other) : comparePair(other, text);
    return pair?.[kind === 'removed' ? 'before' : 'after'] ?? [{ text, changed: false }];
  }
}

function findRun(runs: readonly ChangeRun[], index: number): ChangeRun | undefined {
  let [low, high] = [0, runs.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const run = runs[middle]!;
    if (index < run.start) high = middle - 1;
    else if (index >= run.end) low = middle + 1;
    else return run;
  }
  return undefined;
}

/** Each side of a block is read as one text, so that what spans lines is understood. */
function colourBlock(lines: readonly DiffLine[], from: number, language: string): ReadonlyMap<number, readonly CodePiece[]> {
  const found = new Map<number, readonly CodePiece[]>();
  const to = Math.min(from + BLOCK, lines.length);
  for (const other of ['added', 'removed'] as const) {
    const own: number[] = [];
    for (let index = from; index < to; index += 1) if (lines[index]!.kind !== other) own.push(index);
    const rows = highlightLines(own.map((index) => lines[index]!.text).join('\n'), language);
    for (const [at, index] of own.entries()) found.set(index, rows[at]!);
  }
  return found;
}

/** Lays two ways to cut the same text over each other. */
export function overlay(
  colours: readonly CodePiece[],
  words: readonly { readonly text: string; readonly changed: boolean }[],
): readonly LinePiece[] {
  const pieces: LinePiece[] = [];
  let [at, used] = [0, 0];
  for (const { text, kind } of colours) {
    let left = text;
    while (left !== '' && at < words.length) {
      const word = words[at]!;
      const length = Math.min(left.length, word.text.length - used);
      if (length > 0) pieces.push({ text: left.slice(0, length), kind, changed: word.changed });
      left = left.slice(length);
      used += length;
      if (used >= word.text.length) [at, used] = [at + 1, 0];
    }
  }
  return pieces;
}

const kept = new WeakMap<DiffHunk, HunkPieces>();

/** The pieces of a line, in the colours of its file's language. */
export function piecesOf(hunk: DiffHunk, index: number, path: string): readonly LinePiece[] {
  const language = languageOf(path);
  const known = kept.get(hunk) ?? new HunkPieces(hunk, isKnownLanguage(language) ? language : '');
  kept.set(hunk, known);
  return known.of(index);
}
