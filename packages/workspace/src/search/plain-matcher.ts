import { RE2JS } from 're2js';
import { setImmediate } from 'node:timers/promises';
import type { Hit, LineMatcher } from './line-matcher.js';
import { invalidQuery, type Query } from './query.js';

/** Where the first match in a line begins, in UTF-16 units; -1 if there is none. */
type Find = (line: string) => number;

/** Lines between two looks at the clock, and how long others wait, in milliseconds. */
const LINES = 256;
const SLICE_MS = 10;

const UNICODE: Readonly<Record<string, readonly [outside: string, inClass: string]>> = {
  d: ['\\p{Nd}', '\\p{Nd}'],
  w: ['[\\p{L}\\p{M}\\p{Nd}\\p{Pc}]', '\\p{L}\\p{M}\\p{Nd}\\p{Pc}'],
  D: ['\\P{Nd}', '\\P{Nd}'],
  W: ['[^\\p{L}\\p{M}\\p{Nd}\\p{Pc}]', '\\W'],
};

/** Makes `\d` and `\w` mean what they mean to ripgrep: digits and letters of every script. */
const withUnicodeClasses = (source: string): string => {
  let inClass = false;
  return source.replace(/\\(.)|\[\^?\]?|\]/gs, (whole, escaped: string | undefined) => {
    if (escaped !== undefined) return UNICODE[escaped]?.[inClass ? 1 : 0] ?? whole;
    inClass = whole.startsWith('[');
    return whole;
  });
};

const compile = ({ text, regex, caseSensitive }: Query): Find => {
  if (!regex) {
    if (caseSensitive) return (line) => line.indexOf(text);
    const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
    return (line) => pattern.exec(line)?.index ?? -1;
  }
  try {
    const pattern = RE2JS.compile(withUnicodeClasses(text), caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
    return (line) => {
      const matcher = pattern.matcher(line);
      return matcher.find() ? matcher.start() : -1;
    };
  } catch (error) {
    throw invalidQuery(error instanceof Error ? error.message : 'it is no regular expression');
  }
};

/**
 * Finds lines without any other program. Regular expressions are those of RE2, in a time that grows with the text and not beyond: the
 * syntax is ripgrep's, without what takes backtracking.
 */
export class PlainMatcher implements LineMatcher {
  private readonly findNow: Find;
  private since = performance.now();

  /** @throws ToolFailure `INVALID_ARGUMENTS` with the reason, if the query is no regular expression */
  constructor(
    query: Query,
    private readonly signal: AbortSignal,
  ) {
    this.findNow = compile(query);
  }

  async find(contents: readonly Buffer[], most: number): Promise<readonly (readonly Hit[])[]> {
    const found: Hit[][] = [];
    let left = most;
    for (const content of contents) {
      const hits: Hit[] = [];
      for (let [start, line] = [0, 0]; start < content.length && left > 0; line += 1) {
        const newline = content.indexOf(10, start);
        const end = newline === -1 ? content.length : newline;
        const text = content.toString('utf8', start, content[end - 1] === 13 && end > start ? end - 1 : end);
        const index = this.findNow(text);
        if (index >= 0) hits.push({ line, start, at: Buffer.byteLength(text.slice(0, index)) });
        if (index >= 0) left -= 1;
        start = end + 1;
        if (line % LINES === 0 && performance.now() - this.since >= SLICE_MS) await this.breathe();
      }
      found.push(hits);
    }
    return found;
  }

  private async breathe(): Promise<void> {
    await setImmediate();
    this.signal.throwIfAborted();
    this.since = performance.now();
  }
}
