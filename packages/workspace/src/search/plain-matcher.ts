import { setImmediate } from 'node:timers/promises';
import { compileQuery, type FindAll } from './expression.js';
import type { Hit, LineMatcher } from './line-matcher.js';
import type { Query } from './query.js';

/** Lines between two looks at the clock, and how long others wait, in milliseconds. */
const LINES = 256;
const SLICE_MS = 10;

/** Finds lines without any other program. */
export class PlainMatcher implements LineMatcher {
  private readonly findAll: FindAll;
  private since = performance.now();

  /** @throws ToolFailure `INVALID_ARGUMENTS` with the reason, if the query is no regular expression */
  constructor(
    query: Query,
    private readonly signal: AbortSignal,
  ) {
    this.findAll = compileQuery(query);
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
        const index = this.findFirst(text);
        if (index >= 0) hits.push({ line, start, at: Buffer.byteLength(text.slice(0, index)) });
        if (index >= 0) left -= 1;
        start = end + 1;
        if (line % LINES === 0 && performance.now() - this.since >= SLICE_MS) await this.breathe();
      }
      found.push(hits);
    }
    return found;
  }

  private findFirst(text: string): number {
    for (const [index] of this.findAll(text)) return index;
    return -1;
  }

  private async breathe(): Promise<void> {
    await setImmediate();
    this.signal.throwIfAborted();
    this.since = performance.now();
  }
}
