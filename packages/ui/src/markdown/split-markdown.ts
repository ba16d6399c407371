/**
 * A piece of a Markdown text that reads the same whatever follows it; only the last one of a text may still change. `plain`: it is too large
 * or nested too deeply to be taken apart, and is shown as it is.
 */
export type MarkdownBlock =
  | { readonly kind: 'markdown' | 'plain'; readonly source: string }
  | { readonly kind: 'code'; readonly language: string; readonly source: string; readonly closed: boolean };

const FENCE = /^( {0,3})(`{3,}|~{3,})([^`]*)$/;
const INNER_FENCE = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const INDENTED = /^(?: {2,}|\t)/;
/** A line that begins more than 16 lists and quotes, or that is indented more deeply than people write. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){17}|^(?:\t| {4}){16}/;
/** More brackets or emphasis in a row than people write: taking them apart takes the square of their number. */
const TOO_DENSE = /[[\]!*_~`<(]{64}|(?:[[*_~`<(][^\n]?){200}/;
/** Characters of a paragraph, list or table. */
const MAX_BLOCK = 20_000;
/** Lines of it, and cells of it as a table: each row is filled up to the width of the head. */
const MAX_LINES = 1_000;
const MAX_CELLS = 10_000;
/** Characters that are taken apart, of one text; what follows is shown as it is. */
const MAX_READ = 200_000;

/**
 * Splits Markdown into blocks. What was split of the beginning of a text stays what it is when the text grows, but for the last block: each
 * block can be remembered by its source.
 */
export function splitMarkdown(text: string): readonly MarkdownBlock[] {
  const splitter = new Splitter();
  for (const line of text.split('\n')) splitter.take(line.endsWith('\r') ? line.slice(0, -1) : line);
  return splitter.end();
}

class Splitter {
  private readonly blocks: MarkdownBlock[] = [];
  private lines: string[] = [];
  private fence: { readonly marker: string; readonly indent: number; readonly language: string } | undefined;
  /** The fence inside a list item that is open. */
  private innerFence: string | undefined;
  private isList = false;
  private blank = false;
  private read = 0;

  take(line: string): void {
    if (this.fence) return this.takeCode(line, this.fence);
    if (this.innerFence !== undefined) {
      if (closes(line.trim(), this.innerFence)) this.innerFence = undefined;
      this.lines.push(line);
      return;
    }
    if (line.trim() === '') {
      this.blank = true;
      if (this.lines.length > 0) this.lines.push(line);
      return;
    }
    const fence = FENCE.exec(line);
    if (fence && !(this.isList && INDENTED.test(line))) {
      this.flush();
      this.fence = { marker: fence[2]!, indent: fence[1]!.length, language: wordOf(fence[3]!) };
      return;
    }
    const isItem = ITEM.test(line);
    const goesOn = !this.blank || (this.isList && (isItem || INDENTED.test(line)));
    if (!goesOn || HEADING.test(line)) this.flush();
    if (this.lines.length === 0) this.isList = isItem;
    this.blank = false;
    this.lines.push(line);
    if (this.isList) this.innerFence = INNER_FENCE.exec(line)?.[1];
    if (HEADING.test(line)) this.flush();
  }

  end(): readonly MarkdownBlock[] {
    if (this.fence) this.pushCode(this.fence.language, false);
    else this.flush();
    return this.blocks;
  }

  private takeCode(line: string, fence: NonNullable<typeof this.fence>): void {
    if (!closes(line.trim(), fence.marker)) {
      this.lines.push(fence.indent > 0 ? line.replace(new RegExp(`^ {0,${fence.indent}}`), '') : line);
      return;
    }
    this.pushCode(fence.language, true);
    this.fence = undefined;
  }

  private pushCode(language: string, closed: boolean): void {
    this.blocks.push({ kind: 'code', language, source: this.lines.join('\n'), closed });
    this.lines = [];
  }

  private flush(): void {
    while (this.lines.at(-1)?.trim() === '') this.lines.pop();
    const source = this.lines.join('\n');
    this.read += source.length;
    const isPlain = this.read > MAX_READ || isTooMuch(source, this.lines);
    if (source !== '') this.blocks.push({ kind: isPlain ? 'plain' : 'markdown', source });
    this.lines = [];
    this.isList = false;
    this.blank = false;
  }
}

/** Whether taking a block apart would take longer than a person waits. */
function isTooMuch(source: string, lines: readonly string[]): boolean {
  if (source.length > MAX_BLOCK || lines.length > MAX_LINES) return true;
  const columns = lines.reduce((most, line) => Math.max(most, line.split('|').length), 0);
  return (columns > 1 && columns * lines.length > MAX_CELLS) || lines.some((line) => TOO_DEEP.test(line) || TOO_DENSE.test(line));
}

/** A closing fence is at least as long as the opening one, and nothing follows it. */
const closes = (line: string, marker: string): boolean => line.length >= marker.length && line === marker[0]!.repeat(line.length);

const wordOf = (info: string): string => info.trim().split(/[\s{,:]/, 1)[0] ?? '';
