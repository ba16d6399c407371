import type { Hit, LineMatcher } from './line-matcher.js';
import { invalidQuery, type Query } from './query.js';
import { runRipgrep, type Ripgrep, type RipgrepOutcome } from './run-ripgrep.js';

/** How ripgrep is told what to look for; the text comes last, after `-e`, so that it is never taken for an option. */
export const queryArguments = ({ text, regex, caseSensitive }: Query): readonly string[] => [
  ...(regex ? [] : ['--fixed-strings']),
  caseSensitive ? '--case-sensitive' : '--ignore-case',
  '-e',
  text,
];

/** A content with `\n` alone at the end of each line; ripgrep's own way with `\r` changes what else an expression matches. */
const withPlainEnds = (content: Buffer): Buffer => {
  const plain = content.includes(13) ? Buffer.from(content.toString('latin1').replace(/\r(?:\n|$)/g, '\n'), 'latin1') : content;
  return plain.at(-1) === 10 ? plain : Buffer.concat([plain, Buffer.from('\n')]);
};

/** @throws ToolFailure `INVALID_ARGUMENTS` with ripgrep's reason, if it refuses the query */
export function assertAccepted(outcome: RipgrepOutcome): void {
  if (outcome?.code !== 2 || !/regex|error:/i.test(outcome.complaint)) return;
  const reason = /^error: (.*)$/m.exec(outcome.complaint)?.[1] ?? outcome.complaint;
  const place = /^ {4}( *)\^/m.exec(outcome.complaint)?.[1]; // under the query, which stands indented by four
  throw invalidQuery(place === undefined ? reason : `${reason}, at character ${String(place.length + 1)}`);
}

/** Finds lines by ripgrep. It gets the contents by a pipe, one after the other, and answers with places in them. */
export class RipgrepMatcher implements LineMatcher {
  constructor(
    private readonly ripgrep: Ripgrep,
    private readonly query: Query,
    private readonly options: { readonly cwd: string; readonly signal: AbortSignal; readonly otherwise: () => LineMatcher },
  ) {}

  async find(contents: readonly Buffer[], most: number): Promise<readonly (readonly Hit[])[]> {
    const parts = contents.map(withPlainEnds);
    const { cwd, signal, otherwise } = this.options;
    const format = ['--text', '--line-number', '--column', '--byte-offset', '--no-heading', '--no-filename', '--max-columns=1'];
    const args = [...format, '--encoding=none', `--max-count=${String(most)}`, ...queryArguments(this.query), '-'];
    const outcome = await runRipgrep(this.ripgrep, { args, cwd, signal, input: Buffer.concat(parts) });
    assertAccepted(outcome);
    if (outcome === undefined || outcome.code > 1) return otherwise().find(contents, most);
    return distribute(outcome.stdout.toString('latin1'), contents, parts);
  }
}

/** Which of the contents each answer is about: lines and bytes are counted through all that ripgrep was given. */
const distribute = (answers: string, contents: readonly Buffer[], parts: readonly Buffer[]): Hit[][] => {
  const found: Hit[][] = parts.map(() => []);
  let [part, bytes, lines] = [0, 0, 0];
  let own = new LineStarts(contents[0]!);
  for (const [, line, column, offset] of answers.matchAll(/^(\d+):(\d+):(\d+):/gm)) {
    while (Number(offset) >= bytes + parts[part]!.length) {
      lines += countLines(parts[part]!);
      bytes += parts[part]!.length;
      part += 1;
      own = new LineStarts(contents[part]!);
    }
    const number = Number(line) - 1 - lines;
    found[part]!.push({ line: number, start: own.of(number), at: Number(column) - 1 });
  }
  return found;
};

/** Where the lines of a content begin, asked for in their order. */
class LineStarts {
  private line = 0;
  private start = 0;

  constructor(private readonly content: Buffer) {}

  of(line: number): number {
    for (; this.line < line; this.line += 1) this.start = this.content.indexOf(10, this.start) + 1;
    return this.start;
  }
}

const countLines = (content: Buffer): number => {
  let count = 0;
  for (let at = content.indexOf(10); at !== -1; at = content.indexOf(10, at + 1)) count += 1;
  return count;
};
