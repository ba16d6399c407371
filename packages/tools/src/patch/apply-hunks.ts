import type { Hunk, PatchLine } from './patch.js';

export type Applied = { readonly ok: true; readonly content: string } | { readonly ok: false; readonly problem: string };

/** Comparisons of lines in search of where hunks fit, after which a patch is refused: it is made for another file. */
const MAX_COMPARISONS = 20_000_000;

/** The lines of a text, each with its newline; the last may have none. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let from = 0; from < text.length;) {
    const newline = text.indexOf('\n', from);
    const to = newline === -1 ? text.length : newline + 1;
    lines.push(text.slice(from, to));
    from = to;
  }
  return lines;
}

/** One side of a hunk as lines of a file. */
const sideOf = (hunk: Hunk, other: '+' | '-', newline: string): string[] =>
  hunk.lines.filter(({ sign }) => sign !== other).map(({ text, noNewline }) => (noNewline ? text : text + newline));

/** A file whose lines all end in CRLF takes a patch whose lines don't, as models write them: the patch's lines get the file's ends. */
const newlineFor = (lines: readonly string[], hunks: readonly Hunk[]): string => {
  const ended = lines.filter((line) => line.endsWith('\n'));
  const crlf = ended.length > 0 && ended.every((line) => line.endsWith('\r\n'));
  return crlf && !hunks.some(({ lines: own }) => own.some(({ text }) => text.endsWith('\r'))) ? '\r\n' : '\n';
};

/** Context before the first change and after the last. */
const contextOf = (lines: readonly PatchLine[]): { readonly leading: number; readonly trailing: number } => {
  const changes = lines.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]));
  const [first, last] = [changes[0], changes.at(-1)];
  return { leading: first ?? lines.length, trailing: last === undefined ? lines.length : lines.length - 1 - last };
};

/** Finds where hunks belong in a file, from its start on; git's rules, so that what git applies is applied at the same place. */
class Search {
  private left = MAX_COMPARISONS;

  constructor(private readonly lines: readonly string[]) {}

  get isExhausted(): boolean {
    return this.left <= 0;
  }

  matchesAt(old: readonly string[], at: number): boolean {
    if (at < 0 || at + old.length > this.lines.length) return false;
    for (let index = 0; index < old.length; index += 1) {
      this.left -= 1;
      if (this.lines[at + index] !== old[index]) return false;
    }
    return true;
  }

  /** The nearest match from `expected`, at or after `from`; of two that are equally near, the later one. */
  nearest(old: readonly string[], expected: number, from: number): number | undefined {
    const last = this.lines.length - old.length;
    const start = Math.min(Math.max(expected, from), Math.max(last, from));
    for (let distance = 0; !this.isExhausted; distance += 1) {
      const [after, before] = [start + distance, start - distance];
      if (after > last && before < from) return undefined;
      if (after <= last && this.matchesAt(old, after)) return after;
      if (before >= from && this.matchesAt(old, before)) return before;
    }
    return undefined;
  }

  /**
   * The place of a hunk. One that claims the start of the file fits only there, one without lines of context after it only at the end;
   * failing that, only exactly where its header says. Without any context it fits exactly there or nowhere.
   */
  find(hunk: Hunk, old: readonly string[], expected: number, from: number): number | undefined {
    const { leading, trailing } = contextOf(hunk.lines);
    const end = this.lines.length - old.length;
    const exact = expected >= from && this.matchesAt(old, expected) ? expected : undefined;
    if (leading === 0 && trailing === 0) return old.length > 0 || this.lines.length === 0 ? exact : undefined;
    const atStart = hunk.oldStart <= 1;
    const atEnd = trailing === 0;
    if (!atStart && !atEnd) return this.nearest(old, expected, from);
    const only = atStart ? 0 : end;
    const fits = only >= from && (!atEnd || only === end) && this.matchesAt(old, only);
    return fits ? only : exact;
  }
}

const quote = (line: string | undefined): string => (line === undefined ? 'the end of the file' : JSON.stringify(line.slice(0, 80)));

const describe = (number: number, old: readonly string[], lines: readonly string[], at: number): string => {
  const index = old.findIndex((line, offset) => lines[at + offset] !== line);
  const place = `hunk ${String(number)} does not fit`;
  if (index === -1) return `${place}: it has too little context to be placed`;
  return `${place}: line ${String(at + index + 1)} should be ${quote(old[index])} and is ${quote(lines[at + index])}`;
};

const MARK = '\ufeff';

/**
 * Applies hunks to a text, in their order, without overlap, and without fuzz: context and removed lines are exactly those of the text.
 * A hunk whose line numbers are off is placed at the nearest match, as git does. A byte order mark stays, also if the patch doesn't know it.
 */
export function applyHunks(content: string, hunks: readonly Hunk[]): Applied {
  if (!content.startsWith(MARK) || hunks.some(({ lines }) => lines.some(({ text }) => text.startsWith(MARK)))) return place(content, hunks);
  const applied = place(content.slice(MARK.length), hunks);
  return applied.ok && applied.content !== '' ? { ok: true, content: MARK + applied.content } : applied;
}

function place(content: string, hunks: readonly Hunk[]): Applied {
  const lines = splitLines(content);
  const newline = newlineFor(lines, hunks);
  const search = new Search(lines);
  const result: string[] = [];
  let from = 0;
  for (const [index, hunk] of hunks.entries()) {
    const [old, now] = [sideOf(hunk, '+', newline), sideOf(hunk, '-', newline)];
    const firstNew = hunk.newLines === 0 ? hunk.newStart : Math.max(hunk.newStart - 1, 0);
    const expected = firstNew - result.length + from;
    const at = search.find(hunk, old, expected, from);
    if (search.isExhausted) return { ok: false, problem: `hunk ${String(index + 1)} fits nowhere near its place` };
    if (at === undefined) return { ok: false, problem: describe(index + 1, old, lines, Math.max(expected, from)) };
    for (; from < at; from += 1) result.push(lines[from]!);
    for (const line of now) result.push(line);
    from = at + old.length;
    const open = now.length > 0 && !now.at(-1)!.endsWith('\n');
    if (open && from < lines.length) return { ok: false, problem: `hunk ${String(index + 1)} ends the file where it goes on` };
  }
  for (; from < lines.length; from += 1) result.push(lines[from]!);
  return { ok: true, content: result.join('') };
}
