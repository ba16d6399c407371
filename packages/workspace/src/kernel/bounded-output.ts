import type { CellPart } from './cell-part.js';

/** Characters of each end of a cell's output that are kept. */
const HALF = 256 * 1024;

/** What a part costs beside its text, so that a great many empty ones are too many, too. */
const PART_COST = 64;

/** A part of the tail grows to so many characters before another one begins. */
const GROWN = 8 * 1024;

/** So many parts that count no more are let go of together. */
const MAX_GONE = 1_000;

/** The output of a cell in the order in which it came: its first and its last part are kept, so that memory is bounded. */
export class BoundedOutput {
  private readonly head: CellPart[] = [];
  private headCost = 0;
  private tail: CellPart[] = [];
  private tailCost = 0;
  private leftOut = 0;
  /** Parts at the beginning of the tail that count no more. */
  private gone = 0;

  get truncated(): boolean {
    return this.leftOut > 0;
  }

  /** Adds a part; a stream goes on in the part of the same stream before it. */
  add(part: CellPart): void {
    if (this.tail.length === 0 && this.headCost + costOf(part) <= HALF) {
      this.headCost += push(this.head, part, HALF);
      return;
    }
    this.tailCost += push(this.tail, part, GROWN);
    while (this.gone < this.tail.length - 1) {
      const first = this.tail[this.gone]!; // its text may be another by now: a display was updated
      if (this.tailCost - costOf(first) < HALF) break;
      this.tailCost -= costOf(first);
      this.leftOut += first.text.length;
      this.gone += 1;
    }
    if (this.gone < MAX_GONE) return;
    this.tail = this.tail.slice(this.gone);
    this.gone = 0;
  }

  /** All that is kept, streams in one piece where nothing came between, with a note where something was left out. */
  parts(): readonly CellPart[] {
    const note: readonly CellPart[] = this.truncated
      ? [{ type: 'stdout', text: `\n… ${String(this.leftOut)} characters left out …\n` }]
      : [];
    const joined: CellPart[] = [];
    for (const part of [...this.head, ...note, ...this.tail.slice(this.gone)]) push(joined, { ...part }, Infinity);
    return joined;
  }
}

const costOf = ({ text }: CellPart): number => text.length + PART_COST;

/** Adds to the last part if it is of the same stream and not grown yet; answers what it costs. */
const push = (parts: CellPart[], part: CellPart, grown: number): number => {
  const last = parts.at(-1);
  if (last === undefined || last.type !== part.type || !isStream(part) || last.text.length >= grown) {
    parts.push(part);
    return costOf(part);
  }
  last.text += part.text;
  return part.text.length;
};

const isStream = ({ type }: CellPart): boolean => type === 'stdout' || type === 'stderr';
