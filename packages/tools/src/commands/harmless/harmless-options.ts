import { findOperandFault } from '../parse/operand-fault.js';

/** Options of a program that neither write nor run anything, and what its operands are. All others make a human look. */
export interface HarmlessOptions {
  /** Short options without a value. */
  readonly flags?: string;
  /** Short options whose value is no path. */
  readonly valued?: string;
  /** Short options whose value, if there is one, is attached. */
  readonly attached?: string;
  /** Long options that take no value, or one after `=` that is no path; separated by blanks. */
  readonly long?: string;
  /** Long options whose value is the next word where none is attached. */
  readonly longValued?: string;
  /** `-20` is a number. */
  readonly numbers?: boolean;
  /** `pattern`: the first operand is text unless one of the options `patternIn` is there, the others are files. */
  readonly operands: 'files' | 'texts' | 'none' | 'pattern';
  readonly patternIn?: readonly string[];
}

export type HarmlessCall =
  | {
      readonly ok: true;
      /** Options by letter or name, with their values. */
      readonly options: ReadonlyMap<string, readonly string[]>;
      readonly operands: readonly string[];
      readonly paths: readonly string[];
    }
  | { readonly ok: false; readonly fault: string };

const listed = (names: string | undefined, name: string): boolean => names?.split(' ').includes(name) ?? false;

class OptionReader {
  readonly options = new Map<string, string[]>();
  readonly operands: string[] = [];
  fault: string | undefined;

  constructor(
    private readonly allowed: HarmlessOptions,
    private readonly words: readonly string[],
  ) {}

  read(): void {
    for (let at = 0; at < this.words.length && this.fault === undefined; at += 1) {
      const word = this.words[at]!;
      if (word === '--') {
        this.operands.push(...this.words.slice(at + 1));
        return;
      }
      if (word === '-' || !word.startsWith('-')) this.operands.push(word);
      else if (word.startsWith('--')) at += this.long(word, this.words[at + 1]);
      else if (this.allowed.numbers !== true || !/^-\d+$/.test(word)) at += this.short(word, this.words[at + 1]);
    }
  }

  private keep(name: string, value: string): void {
    this.options.set(name, [...(this.options.get(name) ?? []), value]);
  }

  /** How many words beyond this one it takes. */
  private long(word: string, next: string | undefined): number {
    const equals = word.indexOf('=');
    const name = word.slice(2, equals < 0 ? undefined : equals);
    const value = equals < 0 ? undefined : word.slice(equals + 1);
    const takesNext = listed(this.allowed.longValued, name);
    if (!takesNext && !listed(this.allowed.long, name)) this.fault = `--${name} is not known to be harmless`;
    this.keep(name, value ?? (takesNext ? (next ?? '') : ''));
    return takesNext && value === undefined ? 1 : 0;
  }

  private short(word: string, next: string | undefined): number {
    for (let index = 1; index < word.length; index += 1) {
      const letter = word[index]!;
      const rest = word.slice(index + 1);
      if (this.allowed.attached?.includes(letter) === true) {
        this.keep(letter, rest);
        return 0;
      }
      if (this.allowed.valued?.includes(letter) === true) {
        this.keep(letter, rest === '' ? (next ?? '') : rest);
        return rest === '' ? 1 : 0;
      }
      if (this.allowed.flags?.includes(letter) !== true) {
        this.fault = `-${letter} is not known to be harmless`;
        return 0;
      }
      this.keep(letter, '');
    }
    return 0;
  }
}

/** Reads the words after a program's name. Options are compared whole, so that no abbreviation slips through. */
export function readHarmlessOptions(allowed: HarmlessOptions, words: readonly string[]): HarmlessCall {
  const reader = new OptionReader(allowed, words);
  reader.read();
  const { fault, options, operands } = reader;
  if (fault !== undefined) return { ok: false, fault };
  if (allowed.operands === 'none' && operands.length > 0) return { ok: false, fault: `operands are not known to be harmless` };
  if (allowed.operands === 'texts') return { ok: true, options, operands, paths: [] };
  const textFirst = allowed.operands === 'pattern' && !(allowed.patternIn ?? []).some((name) => options.has(name));
  const paths = operands.slice(textFirst ? 1 : 0).filter((path) => path !== '-');
  for (const path of paths) {
    const reason = findOperandFault(path);
    if (reason !== undefined) return { ok: false, fault: reason };
  }
  return { ok: true, options, operands, paths };
}
