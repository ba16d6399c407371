/**
 * A piece of Markdown that is complete. `spaced`: a blank line stands before it. Code comes line by line: `lines` is all of the block so
 * far, `from` the index of the first new one, so that colours see the context.
 */
export type Block =
  | { readonly kind: 'markdown'; readonly source: string; readonly spaced: boolean; readonly indent: number }
  | {
      readonly kind: 'code';
      readonly language: string;
      readonly lines: readonly string[];
      readonly from: number;
      readonly spaced: boolean;
    };

interface Fence {
  readonly marker: string;
  readonly language: string;
  readonly indent: number;
  readonly lines: readonly string[];
  readonly spaced: boolean;
}

interface Chunk {
  readonly kind: 'paragraph' | 'item';
  readonly lines: readonly string[];
  readonly spaced: boolean;
  /** Columns before the marker of a list item. */
  readonly indent: number;
  /** A fence inside a list item, open now. */
  readonly innerFence?: string;
  readonly endsBlank: boolean;
}

/** Where the splitter stands between two pieces of text. */
export interface SplitState {
  /** The last line, not ended yet. */
  readonly tail: string;
  readonly fence?: Fence;
  readonly chunk?: Chunk;
  readonly blankBefore: boolean;
}

export const SPLIT_START: SplitState = { tail: '', blankBefore: false };

const FENCE = /^( {0,3})(`{3,}|~{3,})([^`]*)$/;
const INNER_FENCE = /^\s*(`{3,}|~{3,})/;
const ITEM = /^( *)(?:[-*+]|\d{1,9}[.)])(?: +|$)/;
const HEADING = /^ {0,3}#{1,6}(?: |$)/;
const RULE = /^ {0,3}(?:(?:\* *){3,}|(?:_ *){3,}|(?:- *){3,})$/;
const QUOTE = /^ {0,3}>/;
const BLANK = /^\s*$/;

/** Takes the next piece of text, of any size, and returns the blocks that it completed. */
export function advanceBlocks(state: SplitState, text: string): { readonly state: SplitState; readonly blocks: readonly Block[] } {
  const blocks: Block[] = [];
  const lines = (state.tail + text).split('\n');
  const tail = lines.pop()!;
  let next: SplitState = { ...state, tail: '' };
  for (const line of lines) next = takeLine(next, line.replace(/\r$/, ''), blocks);
  return { state: { ...next, tail }, blocks };
}

/** Everything that is not complete yet, as if the text ended here. */
export function finishBlocks(state: SplitState): readonly Block[] {
  const blocks: Block[] = [];
  const next = state.tail === '' ? state : takeLine({ ...state, tail: '' }, state.tail, blocks);
  if (next.chunk) blocks.push(toBlock(next.chunk));
  return blocks;
}

function takeLine(state: SplitState, line: string, blocks: Block[]): SplitState {
  if (state.fence) return takeCodeLine(state, state.fence, line, blocks);
  const { chunk } = state;
  if (chunk && continues(chunk, line)) return { ...state, chunk: extend(chunk, line) };
  if (chunk) blocks.push(toBlock(chunk));
  const blankBefore = chunk ? chunk.endsBlank : state.blankBefore;
  if (BLANK.test(line)) return { tail: '', blankBefore: true };
  const fence = FENCE.exec(line);
  if (fence) {
    const language = /^\s*([^\s{,]*)/.exec(fence[3]!)![1]!;
    return {
      tail: '',
      blankBefore: false,
      fence: { marker: fence[2]!, language, indent: fence[1]!.length, lines: [], spaced: blankBefore || !!chunk },
    };
  }
  if (HEADING.test(line) || RULE.test(line)) {
    blocks.push({ kind: 'markdown', source: line, spaced: true, indent: 0 });
    return { tail: '', blankBefore: true };
  }
  const item = ITEM.exec(line);
  const spaced = blankBefore || (chunk !== undefined && !(item && chunk.kind === 'item'));
  const indent = item ? item[1]!.length : 0;
  return {
    tail: '',
    blankBefore: false,
    chunk: { kind: item ? 'item' : 'paragraph', lines: [line.slice(indent)], spaced, indent, endsBlank: false },
  };
}

function takeCodeLine(state: SplitState, fence: Fence, line: string, blocks: Block[]): SplitState {
  const close = FENCE.exec(line);
  if (close && close[3]!.trim() === '' && close[2]![0] === fence.marker[0] && close[2]!.length >= fence.marker.length)
    return { tail: '', blankBefore: true };
  const lines = [...fence.lines, line.slice(Math.min(fence.indent, line.length - line.trimStart().length))];
  const last = blocks.at(-1);
  if (last?.kind === 'code' && last.lines === fence.lines) blocks[blocks.length - 1] = { ...last, lines };
  else blocks.push({ kind: 'code', language: fence.language, lines, from: lines.length - 1, spaced: fence.spaced && lines.length === 1 });
  return { ...state, fence: { ...fence, lines } };
}

function continues(chunk: Chunk, line: string): boolean {
  if (chunk.innerFence) return true;
  const starts = HEADING.test(line) || FENCE.test(line) || QUOTE.test(line) || ITEM.test(line);
  if (chunk.kind === 'paragraph') {
    if (BLANK.test(line)) return false;
    if (QUOTE.test(chunk.lines[0]!) && QUOTE.test(line)) return true;
    return !starts;
  }
  if (BLANK.test(line)) return true;
  const indent = line.length - line.trimStart().length;
  if (indent >= chunk.indent + contentIndent(chunk)) return true;
  return !chunk.endsBlank && !starts && !RULE.test(line);
}

function extend(chunk: Chunk, line: string): Chunk {
  const own = line.slice(Math.min(chunk.indent, line.length - line.trimStart().length));
  const mark = INNER_FENCE.exec(own)?.[1]?.slice(0, 3);
  const innerFence =
    chunk.kind !== 'item' || !mark
      ? chunk.innerFence
      : chunk.innerFence === undefined
        ? mark
        : chunk.innerFence === mark
          ? undefined
          : chunk.innerFence;
  return { ...chunk, lines: [...chunk.lines, own], innerFence, endsBlank: BLANK.test(line) };
}

const contentIndent = (chunk: Chunk): number => /^(?:[-*+]|\d{1,9}[.)]) */.exec(chunk.lines[0]!)?.[0].length ?? 2;

const toBlock = (chunk: Chunk): Block => ({ kind: 'markdown', source: chunk.lines.join('\n'), spaced: chunk.spaced, indent: chunk.indent });
