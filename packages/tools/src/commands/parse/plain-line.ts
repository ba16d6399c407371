/** A simple command as the plain reader sees it. */
export interface PlainCommand {
  readonly words: string[];
  /** Operator and target, as `2>/dev/null`. */
  readonly redirects: string[];
}

/** Characters that mean themselves, unquoted, in every shell. The glob characters are among them: a program gets them or names of files. */
const BARE = /[A-Za-z0-9_./:,@%+=^~*?[\]-]/;
const OPERATOR = /&&|\|\||[;&|()\n]/y;
const REDIRECT = /(?:[0-9]?(?:>>|>&|<&|>|<)|&>)/y;
const HEREDOC = /<<(-?)[ \t]*(?:'([A-Za-z_]+)'|"([A-Za-z_]+)"|([A-Za-z_]+))(?=[ \t\n;&|)]|$)/y;
const RESERVED = new Set(
  'if then else elif fi do done case esac while until for select function in coproc [[ ]] { } ! time repeat foreach end nocorrect noglob'.split(
    ' ',
  ),
);

/**
 * A second, much smaller reader of command lines. It takes only what every POSIX shell reads alike: words, quotes, lists, pipelines,
 * subshells, redirections and here-documents without expansions. What runs without a human, or by a rule, has to look the same to both readers,
 * so that neither a construct that another shell understands differently nor a mistake in one reader lets anything through.
 */
class PlainReader {
  private readonly commands: PlainCommand[] = [];
  private at = 0;
  private command: PlainCommand = { words: [], redirects: [] };
  private target: string | undefined;
  /** The last thing was the end of a subshell, or the line break after it. */
  private closed = false;
  private heredocs: { delimiter: string; tabs: boolean; quoted: boolean }[] = [];

  constructor(private readonly line: string) {}

  /** The simple commands of the line in their order; `undefined` where it is more than plain. */
  read(): readonly PlainCommand[] | undefined {
    while (this.at < this.line.length) if (!this.step()) return undefined;
    return this.endCommand() && this.heredocs.length === 0 ? this.commands : undefined;
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.line) ?? undefined;
    if (found !== undefined) this.at = pattern.lastIndex;
    return found;
  }

  private step(): boolean {
    const char = this.line[this.at]!;
    if (char === ' ' || char === '\t') return (this.at += 1) > 0;
    if (this.line.startsWith('\\\n', this.at)) return (this.at += 2) > 0;
    if (char === '#') {
      const end = this.line.indexOf('\n', this.at);
      this.at = end < 0 ? this.line.length : end;
      return true;
    }
    if (this.line.startsWith('<<', this.at)) return this.heredoc();
    const redirect = this.match(REDIRECT);
    if (redirect !== undefined) {
      if (this.target !== undefined) return false;
      this.target = redirect[0];
      return true;
    }
    const operator = this.match(OPERATOR);
    return operator === undefined ? this.word() : this.operator(operator[0]);
  }

  private operator(operator: string): boolean {
    const empty = this.command.words.length + this.command.redirects.length === 0;
    const closed = this.closed;
    this.closed = operator === ')';
    if (operator === '(') return empty && this.target === undefined;
    if (empty && !closed && operator !== '\n') return false;
    if (!this.endCommand()) return false;
    return operator !== '\n' || this.skipBodies();
  }

  private endCommand(): boolean {
    if (this.target !== undefined) return false;
    if (this.command.words.length + this.command.redirects.length > 0) this.commands.push(this.command);
    this.command = { words: [], redirects: [] };
    return true;
  }

  private heredoc(): boolean {
    const found = this.target === undefined ? this.match(HEREDOC) : undefined;
    if (found === undefined) return false;
    const [, dash, single, double, bare] = found;
    this.heredocs.push({ delimiter: (single ?? double ?? bare)!, tabs: dash === '-', quoted: bare === undefined });
    return true;
  }

  /** Takes the bodies that begin on this line. An unquoted one must hold nothing that a shell would replace. */
  private skipBodies(): boolean {
    for (const { delimiter, tabs, quoted } of this.heredocs) {
      for (let closed = false; !closed;) {
        if (this.at >= this.line.length) return false;
        const end = this.line.indexOf('\n', this.at);
        const text = this.line.slice(this.at, end < 0 ? undefined : end);
        if (!quoted && /[$`\\]/.test(text)) return false;
        this.at = end < 0 ? this.line.length : end + 1;
        closed = (tabs ? text.replace(/^\t+/, '') : text) === delimiter;
      }
    }
    this.heredocs = [];
    return true;
  }

  private word(): boolean {
    let value = '';
    let quoted = false;
    const start = this.at;
    for (; this.at < this.line.length;) {
      const char = this.line[this.at]!;
      if (BARE.test(char) || (char === '!' && this.at === start) || (char === '#' && this.at > start)) {
        value += char;
        this.at += 1;
        continue;
      }
      const piece = this.quoted(char);
      if (piece === undefined) break;
      value += piece;
      quoted = true;
    }
    if (this.at === start || !/^[\s;&|()<>]?$/.test(this.line.charAt(this.at))) return false;
    return this.take(value, quoted);
  }

  private quoted(char: string): string | undefined {
    const found =
      char === "'"
        ? this.match(/'([^'\r\0]*)'/y)
        : char === '"'
          ? this.match(/"((?:[^"$`\\\r\0]|\\[^\n\r\0])*)"/y)
          : char === '\\'
            ? this.match(/\\([ -~])/y)
            : undefined;
    if (found === undefined) return undefined;
    return char === '"' ? found[1]!.replace(/\\([$`"\\])/g, '$1') : found[1]!;
  }

  private take(value: string, quoted: boolean): boolean {
    if (this.target !== undefined) {
      this.command.redirects.push(this.target + value);
      this.target = undefined;
      return !quoted || value !== '';
    }
    if (quoted && /^\d$/.test(value) && /[<>]/.test(this.line.charAt(this.at))) return false;
    if (this.command.words.length === 0) {
      if (!quoted && (value === '!' || value === 'time')) return true;
      if (RESERVED.has(value) || /^[A-Za-z_][A-Za-z0-9_]*(\[.*\])?\+?=/s.test(value)) return false;
    }
    if (!quoted && (value.startsWith('=') || /^!./.test(value))) return false;
    this.closed = false;
    this.command.words.push(value);
    return true;
  }
}

/** Reads a line with the plain reader. `undefined`: it is more than plain, or not plain enough to be sure. */
export const readPlainLine = (line: string): readonly PlainCommand[] | undefined => new PlainReader(line).read();
