import { forEachChild, type Command, type Redirection, type SyntaxNode } from 'unbash';
import { joinPath, mergeDirectories, type Directories } from './directories.js';
import { parseLine } from './parse-line.js';
import { toShellWord, type ShellWord } from './shell-word.js';

/** Nodes that one line may have. A line that takes more work asks. */
const MAX_NODES = 5_000;

/** One thing that a command reads or writes beside its operands. */
export interface ShellRedirect {
  readonly kind: 'read' | 'write' | 'duplicate' | 'text';
  /** Descriptor, operator and target, as `2>/dev/null`. */
  readonly text: string;
  readonly target: ShellWord | undefined;
}

/** A simple command as it stands in the line, wrappers and all. */
export interface Invocation {
  readonly kind: 'command';
  readonly text: string;
  readonly words: readonly ShellWord[];
  readonly assignments: readonly string[];
  readonly redirects: readonly ShellRedirect[];
  /** Its input is the output of another command, or a text in the line. */
  readonly fed: boolean;
  /** That text, where it is known. */
  readonly feed: string | undefined;
  readonly directories: Directories;
}

/** Something in a line that is no command and yet must be judged. */
export interface Finding {
  readonly kind: 'finding';
  readonly text: string;
  readonly verdict: 'ask' | 'refuse';
  readonly reason: string;
}

export type Step = Invocation | Finding;

/** What a line does, in the order in which it stands there. */
export interface Walk {
  readonly steps: readonly Step[];
  /** The steps of the line itself, without those of its substitutions. */
  readonly own: readonly Step[];
  /** Part of it was not understood, or it is too much to judge. */
  readonly fault: string | undefined;
}

/** What a construct does that no command inside it shows. */
const CONSTRUCTS: Readonly<Partial<Record<SyntaxNode['type'], string>>> = {
  Function: 'defines a function',
  Coproc: 'starts a coprocess',
  For: 'a loop sets a variable',
  ArithmeticFor: 'a loop sets a variable',
  Select: 'a loop sets a variable',
  While: 'a loop may never end',
  ArithmeticCommand: 'computes, which other shells take for commands',
  TestCommand: 'compares, which other shells take for a command',
};

class ScriptWalker {
  readonly steps: Step[] = [];
  readonly own: Step[] = [];
  fault: string | undefined;
  private directories: Directories;
  private depth = 0;
  private nodes = 0;
  private pipe: { readonly feed: string | undefined } | undefined;

  constructor(
    directories: Directories,
    private source: string,
  ) {
    this.directories = directories;
  }

  walk(node: SyntaxNode): void {
    this.nodes += 1;
    if (this.nodes > MAX_NODES) {
      this.fault ??= 'is too long to judge';
      return;
    }
    switch (node.type) {
      case 'Command':
        return this.command(node);
      case 'Script':
        return this.script(node);
      case 'Statement': {
        const before = this.directories;
        this.walk(node.command);
        this.directories = mergeDirectories(before, this.directories);
        return;
      }
      case 'AndOr':
        return this.list(node.commands, node.operators);
      case 'Pipeline':
        return this.pipeline(node.commands);
      case 'Subshell':
        return this.apart(() => this.walk(node.body));
      case 'Redirected':
        this.push({ ...this.invocation(node, []), redirects: this.redirects(node.redirects) });
        return forEachChild(node, (child) => this.walk(child));
      default:
        return this.construct(node);
    }
  }

  private push(step: Step): void {
    this.steps.push(step);
    if (this.depth === 0) this.own.push(step);
  }

  /** A part whose `cd` is without effect on what follows. */
  private apart(walk: () => void): void {
    const before = this.directories;
    walk();
    this.directories = before;
  }

  /** A script inside a word. A backtick script has a text of its own. */
  private script(node: SyntaxNode & { type: 'Script'; errors?: readonly { message: string }[] | undefined }): void {
    const outer = { source: this.source, pipe: this.pipe };
    if (node.errors !== undefined && node.errors.length > 0) this.fault ??= `can't be parsed: ${node.errors[0]!.message}`;
    this.source = node.source ?? this.source;
    this.pipe = undefined;
    this.depth += 1;
    this.apart(() => forEachChild(node, (child) => this.walk(child)));
    this.depth -= 1;
    this.source = outer.source;
    this.pipe = outer.pipe;
  }

  private list(commands: readonly SyntaxNode[], operators: readonly string[]): void {
    let seen = this.directories;
    for (const [index, command] of commands.entries()) {
      if (operators[index - 1] === '||') this.directories = seen;
      this.walk(command);
      seen = mergeDirectories(seen, this.directories);
    }
    this.directories = operators.includes('||') ? seen : this.directories;
  }

  private pipeline(commands: readonly SyntaxNode[]): void {
    if (commands.length === 1) return this.walk(commands[0]!);
    const outer = this.pipe;
    for (const [index, command] of commands.entries()) {
      const last = index === 0 ? undefined : commands[index - 1];
      this.pipe = last === undefined ? outer : { feed: last.type === 'Command' ? textFrom(last) : undefined };
      this.apart(() => this.walk(command));
    }
    this.pipe = outer;
  }

  private construct(node: SyntaxNode): void {
    const reason = CONSTRUCTS[node.type];
    const text = this.source.slice(node.pos, node.end);
    if (reason !== undefined) this.push({ kind: 'finding', text, verdict: 'ask', reason });
    if (node.type === 'Function' && callsItself(node)) {
      this.push({ kind: 'finding', text, verdict: 'refuse', reason: 'a function that starts itself without end' });
    }
    if (node.type === 'ArithmeticCommand') this.text(node.body);
    if (node.type === 'ArithmeticExpansion') this.text(node.text.replace(/^\$\(\(|\)\)$/g, ''));
    const before = this.directories;
    forEachChild(node, (child) => this.walk(child));
    if (before !== this.directories && node.type !== 'CompoundList' && node.type !== 'BraceGroup') this.directories = undefined;
  }

  /** A text that some shells run as a script. */
  private text(text: string): void {
    const parsed = parseLine(text);
    if (parsed.script === undefined) return;
    const outer = this.source;
    this.source = text;
    this.apart(() => this.walk(parsed.script!));
    this.source = outer;
  }

  private command(node: Command): void {
    const words = node.args.map((arg) =>
      arg.type === 'Word' ? toShellWord(arg) : { value: arg.text, text: arg.text, known: false, glob: false },
    );
    const name = node.name === undefined ? [] : [toShellWord(node.name)];
    const step = this.invocation(node, [...name, ...words]);
    const body = node.redirects.find((redirect) => redirect.type === 'HereDoc' || redirect.type === 'HereString');
    const feed = body?.type === 'HereDoc' ? body.body.text : body?.type === 'HereString' ? body.target?.value : this.pipe?.feed;
    this.push({
      ...step,
      assignments: node.prefix.flatMap((prefix) => (prefix.type === 'Assignment' ? [prefix.name] : [])),
      redirects: this.redirects(node.redirects),
      fed: this.pipe !== undefined || node.redirects.some(({ type, ...rest }) => type !== 'Redirect' || feeds(rest)),
      feed,
    });
    forEachChild(node, (child) => this.walk(child));
    this.change(step.words);
  }

  private invocation(node: SyntaxNode, words: readonly ShellWord[]): Invocation {
    const text = this.source.slice(node.pos, node.end);
    return { kind: 'command', text, words, assignments: [], redirects: [], fed: false, feed: undefined, directories: this.directories };
  }

  private redirects(redirects: readonly Redirection[]): readonly ShellRedirect[] {
    return redirects.map((redirect): ShellRedirect => {
      if (redirect.type === 'HereDoc') return { kind: 'text', text: redirect.operator, target: undefined };
      const target = redirect.target === undefined ? undefined : toShellWord(redirect.target);
      const text = `${descriptorOf(redirect)}${redirect.operator}${target?.value ?? ''}`;
      if (redirect.type === 'HereString') return { kind: 'text', text, target };
      if (redirect.operator === '<') return { kind: 'read', text, target };
      const duplicates = (redirect.operator === '>&' || redirect.operator === '<&') && /^(\d+-?|-)$/.test(target?.value ?? '');
      return { kind: duplicates ? 'duplicate' : 'write', text, target };
    });
  }

  /** Follows `cd`; whatever else may change the directory leaves it unknown. */
  private change(words: readonly ShellWord[]): void {
    const [name, ...operands] = words;
    if (name === undefined || !/^(cd|pushd|popd|builtin|command|eval|source|\.)$/.test(name.value)) return;
    const [target, ...more] = operands;
    const plain =
      name.value === 'cd' && target?.known === true && more.length === 0 && !target.value.startsWith('-') && target.value !== '';
    if (name.value === 'command' && /^-[vV]$/.test(target?.value ?? '')) return;
    this.directories = plain ? this.directories?.map((directory) => joinPath(directory, target.value)) : undefined;
  }
}

const descriptorOf = ({ descriptor }: Redirection): string =>
  descriptor === undefined ? '' : descriptor.type === 'FileDescriptor' ? String(descriptor.value) : `{${descriptor.name}}`;

const feeds = (redirect: object): boolean => 'operator' in redirect && (redirect.operator === '<' || redirect.operator === '<>');

/** What `echo` and `printf` hand on, where it is in the line. */
const textFrom = (node: Command): string | undefined =>
  /^(echo|printf)$/.test(node.name?.value ?? '')
    ? node.args.map((arg) => (arg.type === 'Word' ? arg.value : arg.text)).join(' ')
    : undefined;

const callsItself = (node: SyntaxNode & { type: 'Function' }): boolean => {
  let found = false;
  const look = (inner: SyntaxNode, forks: boolean): void => {
    if (inner.type === 'Command') found ||= forks && inner.name?.value === node.name.value;
    const deeper = forks || inner.type === 'Pipeline' || (inner.type === 'Statement' && inner.background === true);
    forEachChild(inner, (child) => look(child, deeper));
  };
  look(node.body, false);
  return found;
};

/** Lists what a parsed line does. */
export function walkScript(script: SyntaxNode & { type: 'Script' }, source: string, directories: Directories): Walk {
  const walker = new ScriptWalker(directories, source);
  try {
    forEachChild(script, (statement) => walker.walk(statement));
  } catch {
    walker.fault ??= "can't be judged"; // nested beyond what the stack holds: what was seen until then still counts
  }
  return { steps: walker.steps, own: walker.own, fault: walker.fault };
}
