import type { ResultOf } from '@codelab/tools';
import { MAX_FOUND_BYTES, MAX_LINE_CHARACTERS } from '../limits.js';
import type { Findings, Page } from './findings.js';
import type { Hit } from './line-matcher.js';
import type { SearchedFile } from './searched-file.js';

type Match = ResultOf<'search_in_project'>['matches'][number];

/** Characters that are shown before a match that a line is too long for. */
const LEAD = 100;
const CUT = '…';

/** The lines of a file by their number; only those that are looked at are decoded. */
class Lines {
  constructor(readonly content: Buffer) {}

  /** @returns the text of the line that begins at a byte, and where the next one does */
  at(start: number): { readonly text: string; readonly next: number } {
    const newline = this.content.indexOf(10, start);
    const end = newline === -1 ? this.content.length : newline;
    const last = end > start && this.content[end - 1] === 13 ? end - 1 : end;
    return { text: this.content.toString('utf8', start, last), next: end + 1 };
  }

  /** Where the line begins that is so many lines after the one that begins at a byte. */
  skip(start: number, count: number): number {
    let from = start;
    for (let left = count; left > 0; left -= 1) from = this.content.indexOf(10, from) + 1;
    return from;
  }

  before(start: number, count: number): string[] {
    const found: string[] = [];
    for (let from = start; found.length < count && from > 0;) {
      from = from >= 2 ? this.content.lastIndexOf(10, from - 2) + 1 : 0;
      found.unshift(cut(this.at(from).text, 0));
    }
    return found;
  }

  after(start: number, count: number): string[] {
    const found: string[] = [];
    for (let from = this.at(start).next; found.length < count && from < this.content.length;) {
      const { text, next } = this.at(from);
      found.push(cut(text, 0));
      from = next;
    }
    return found;
  }
}

/** The part of a line that is shown: all of it, or a window in which the match is. */
const cut = (text: string, index: number): string => {
  if (text.length <= MAX_LINE_CHARACTERS) return text;
  const characters = [...text.slice(Math.max(0, index - 2 * LEAD), index + 2 * MAX_LINE_CHARACTERS + 2)];
  const before = [...text.slice(Math.max(0, index - 2 * LEAD), index)].length;
  const from = index <= LEAD ? 0 : Math.max(0, before - LEAD);
  const cutBefore = from > 0 || index > 2 * LEAD;
  const rest = characters.slice(from);
  const room = MAX_LINE_CHARACTERS - (cutBefore ? 1 : 0);
  const reaches = index + 2 * MAX_LINE_CHARACTERS + 2 >= text.length && rest.length <= room;
  return (cutBefore ? CUT : '') + (reaches ? rest.join('') : rest.slice(0, room - 1).join('') + CUT);
};

/** How matches are shown. */
interface LinesWanted extends Page {
  /** Lines around each match. */
  readonly before: number;
  readonly after: number;
  /** Those that are not shown are counted, too. */
  readonly counted: boolean;
}

/** Lines of one match that are shown. */
const MAX_MATCH_LINES = 200;

/** Collects what a search shows, up to its limits. */
export class FoundLines implements Findings {
  private readonly matches: Match[] = [];
  private truncated = false;
  private seen = 0;
  private bytes = 0;

  constructor(private readonly wanted: LinesWanted) {}

  get isDone(): boolean {
    return this.truncated && !this.wanted.counted;
  }

  /** One more than are shown tells that there are more. */
  get room(): number {
    const { offset, limit, counted } = this.wanted;
    if (counted) return Number.MAX_SAFE_INTEGER;
    return this.truncated ? 0 : offset + limit + 1 - this.seen;
  }

  add({ path, content }: SearchedFile, hits: readonly Hit[]): void {
    const lines = new Lines(content);
    for (const hit of hits) {
      if (this.isDone) return;
      this.seen += 1;
      if (this.seen > this.wanted.offset && !this.truncated) this.show(path, lines, hit);
    }
  }

  get answer(): ResultOf<'search_in_project'> {
    return { matches: this.matches, truncated: this.truncated, total: this.wanted.counted ? this.seen : undefined };
  }

  private show(path: string, lines: Lines, { line, start, at, more = 0 }: Hit): void {
    const { limit, before, after } = this.wanted;
    const { text } = lines.at(start);
    const index = lines.content.toString('utf8', start, start + at).length;
    const rest = more > 0 ? lines.after(start, Math.min(more, MAX_MATCH_LINES - 1)) : [];
    const end = lines.skip(start, more);
    const match: Match = {
      ...{ path, line: line + 1, column: countCharacters(text, index) + 1, text: [cut(text, index), ...rest].join('\n') },
      end_line: more > 0 ? line + 1 + more : undefined,
      before: before + after > 0 ? lines.before(start, before) : undefined,
      after: before + after > 0 ? lines.after(end, after) : undefined,
    };
    this.bytes += Buffer.byteLength(JSON.stringify(match));
    this.truncated = this.matches.length === limit || this.bytes > MAX_FOUND_BYTES;
    if (!this.truncated) this.matches.push(match);
  }
}

const countCharacters = (text: string, end: number): number => {
  let count = 0;
  for (let index = 0; index < end; count += 1) index += text.codePointAt(index)! > 0xffff ? 2 : 1;
  return count;
};
