import { setImmediate } from 'node:timers/promises';
import { compileQuery, type FindAll } from './expression.js';
import type { Hit, LineMatcher } from './line-matcher.js';
import type { Query } from './query.js';

/** Matches between two turns for others. */
const MATCHES = 512;

/**
 * Finds matches that may go over line ends; those that touch a line together are one. `\r\n` counts as `\n`. Always by our own engine:
 * another program can say which files are worth it, and where a match ends in a file is ours to say.
 */
export class MultilineMatcher implements LineMatcher {
  private readonly findAll: FindAll;

  /** @throws ToolFailure `INVALID_ARGUMENTS` with the reason, if the query is no regular expression */
  constructor(
    query: Query,
    private readonly signal: AbortSignal,
  ) {
    this.findAll = compileQuery({ ...query, multiline: true });
  }

  async find(contents: readonly Buffer[], most: number): Promise<readonly (readonly Hit[])[]> {
    const found: Hit[][] = [];
    let left = most;
    for (const content of contents) {
      const hits = left > 0 ? await this.findIn(content, left) : [];
      left -= hits.length;
      found.push(hits);
    }
    return found;
  }

  private async findIn(content: Buffer, most: number): Promise<Hit[]> {
    await this.breathe();
    const text = content.toString('utf8').replaceAll('\r\n', '\n');
    const [lines, bytes] = [new Lines(text), new ByteLines(content)];
    const hits: { line: number; start: number; at: number; more: number }[] = [];
    let count = 0;
    for (const [start, end] of this.findAll(text)) {
      if ((count += 1) % MATCHES === 0) await this.breathe();
      if (start === text.length && text.endsWith('\n')) break; // nothing after the last line end is a line
      const line = lines.of(start);
      const begin = lines.start;
      const last = lines.of(Math.max(start, text[end - 1] === '\n' ? end - 1 : end));
      const before = hits.at(-1);
      if (before !== undefined && line <= before.line + before.more) before.more = Math.max(before.more, last - before.line);
      else if (hits.length === most) break;
      else hits.push({ line, start: bytes.of(line), at: Buffer.byteLength(text.slice(begin, start)), more: last - line });
    }
    return hits;
  }

  private async breathe(): Promise<void> {
    await setImmediate();
    this.signal.throwIfAborted();
  }
}

/** The line of a place in a text; places are asked for in their order. */
class Lines {
  /** Where the line begins that was asked for last. */
  start = 0;
  private line = 0;

  constructor(private readonly text: string) {}

  of(index: number): number {
    for (let next = this.text.indexOf('\n', this.start); next !== -1 && next < index; next = this.text.indexOf('\n', this.start)) {
      this.start = next + 1;
      this.line += 1;
    }
    return this.line;
  }
}

/** Where lines begin in a content, in bytes; asked for in their order. */
class ByteLines {
  private line = 0;
  private start = 0;

  constructor(private readonly content: Buffer) {}

  of(line: number): number {
    for (; this.line < line; this.line += 1) this.start = this.content.indexOf(10, this.start) + 1;
    return this.start;
  }
}
