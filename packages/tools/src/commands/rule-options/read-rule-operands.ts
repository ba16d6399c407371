import { findRuleOptions } from './find-rule-options.js';
import type { RuleOptions } from './rule-options.js';

type Kind = 'flags' | 'attached' | 'texts' | 'paths';

const has = (names: string | undefined, name: string): boolean => names?.split(' ').includes(name) ?? false;

/** Names are compared whole: an abbreviation is another name, and asks. */
const kindOf = (options: RuleOptions, name: string): Kind | undefined =>
  (['flags', 'attached', 'texts', 'paths'] as const).find((kind) => name !== '' && has(options[kind], name));

/** What of a text may be a path: all of it, and what stands behind a sign that programs cut at, as in `html:/x`, `HEAD:x`, `a=b`. */
const pathsIn = (text: string): readonly string[] => [...new Set([text, ...text.split(/[=:,]/)])].filter((path) => path !== '');

/** Names: nothing that a shell, make or just replaces, which paste targets into their lines. */
const NAME = /^[\w.:/+@-]+$/;

class OperandReader {
  readonly paths: string[] = [];
  understood = true;
  private namesTarget = false;

  /** @param named so many words are those of the rule: its human has seen them, and they are not judged */
  constructor(
    private readonly words: readonly string[],
    private readonly named: number,
  ) {}

  read(options: RuleOptions, from: number): void {
    for (let at = from; at < this.words.length && this.understood; at += 1) {
      const word = this.words[at]!;
      if (word === '--') {
        if (options.rest !== undefined) return this.read(options.rest, at + 1);
        for (const index of this.words.keys()) if (index > at) this.operand(options, index);
        return;
      }
      if (word === '-' || !word.startsWith('-')) this.operand(options, at);
      else at += this.option(options, word, at);
    }
  }

  private refuse(at: number): void {
    if (at >= this.named) this.understood = false;
  }

  private path(text: string, at: number): void {
    if (at >= this.named) this.paths.push(...pathsIn(text));
  }

  private operand({ operands = 'files' }: RuleOptions, at: number): void {
    const word = this.words[at]!;
    if (this.isFault(operands, word)) this.refuse(at);
    else this.path(word, at);
    if (at < this.named) this.namesTarget = true;
  }

  private isFault(operands: NonNullable<RuleOptions['operands']>, word: string): boolean {
    if (operands === 'revisions') return word.startsWith(':');
    if (operands === 'files') return word.startsWith('@');
    return !NAME.test(word) || word.startsWith('@') || (operands === 'targets' && this.namesTarget);
  }

  /** How many words beyond this one it takes. */
  private option(options: RuleOptions, word: string, at: number): number {
    const long = (options.style === 'words' ? /^--?([\w.-]+)(?:=(.*))?$/s : /^--([\w.-]{2,})(?:=(.*))?$/s).exec(word);
    if (long !== null) return this.value(kindOf(options, long[1]!), long[2], at);
    if (options.style === 'apart') {
      const short = /^-(\w)(?:=(.*))?$/s.exec(word);
      return this.value(kindOf(options, short?.[1] ?? ''), short?.[2], at);
    }
    for (let index = 1; index < word.length; index += 1) {
      const kind = kindOf(options, word[index]!);
      const rest = word.slice(index + 1);
      if (kind !== 'flags') return this.value(kind, rest === '' ? undefined : rest, at);
    }
    return 0;
  }

  /** Judges an option by its value: the one that is attached, or the next word. */
  private value(kind: Kind | undefined, attached: string | undefined, at: number): number {
    if (kind === undefined) this.refuse(at);
    if (attached !== undefined) {
      if (kind !== 'texts') this.path(attached, at);
      else if (/^-\D/.test(attached)) this.refuse(at); // programs hand such a text on to others, which take it for an option
      return 0;
    }
    if (kind !== 'texts' && kind !== 'paths') return 0;
    const next = this.words[at + 1];
    // some programs take a word that looks like an option for one, whatever stands before it
    if (next === undefined || /^-./.test(next)) this.refuse(at + 1);
    else if (kind === 'paths') this.path(next, at + 1);
    return 1;
  }
}

/**
 * What a command may reach beyond the words that a rule names: paths that still have to lie in the workspace. `undefined` where it has an
 * option that rules don't allow for this program, or an operand that is more than a path.
 */
export function readRuleOperands(words: readonly string[], named: number): readonly string[] | undefined {
  const { options, start } = findRuleOptions(words);
  const reader = new OperandReader(words, named);
  reader.read(options, start);
  return reader.understood ? reader.paths : undefined;
}
