import type { Word, WordPart } from 'unbash';

/** A word of a command line, as far as it can be told before a shell runs it. */
export interface ShellWord {
  /** Without quotes and escapes; what only the shell can tell stands in it as it is written. */
  readonly value: string;
  /** As it is written. */
  readonly text: string;
  /** The program gets exactly `value`: no variable, substitution, tilde, brace or glob. */
  readonly known: boolean;
  /** Names of files decide, and nothing else that is unknown. */
  readonly glob: boolean;
}

const kindOf = (part: WordPart): 'known' | 'glob' | 'unknown' => {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return 'known';
    case 'DoubleQuoted':
      return part.parts.every((child) => child.type === 'Literal') ? 'known' : 'unknown';
    case 'Glob':
      return part.parts?.every((child) => kindOf(child) === 'known') === false ? 'unknown' : 'glob';
    default:
      return 'unknown';
  }
};

/** Where a shell puts a home directory: at the start of a word, and in what looks like an assignment. */
const TILDE = /^~|[=:]~/;

export function toShellWord(word: Word): ShellWord {
  const kinds = (word.parts ?? []).map(kindOf);
  const unknown = kinds.includes('unknown') || TILDE.test(word.text);
  const glob = !unknown && kinds.includes('glob');
  return { value: word.value, text: word.text, known: !unknown && !glob, glob };
}

/** A word that was not parsed but is known, as a shell would pass it on. */
export const knownWord = (value: string): ShellWord => ({ value, text: value, known: true, glob: false });
