import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commentOf, extractSymbols, splitName, startWithComment } from '@codelab/code-index';
import { sample } from './random.js';

/** A question whose answer is known: the definition whose comment it was made of. */
export interface Question {
  readonly query: string;
  readonly path: string;
  /** The definition with its comment. */
  readonly start: number;
  readonly end: number;
}

const CODE = /\.(?:py|go|java|[cm]?[jt]sx?|rs|rb|php|cs|c|cc|cpp|h|hpp)$/;
const TEST = /(?:^|\/)(?:tests?|__tests__|examples?|testdata|docs)\/|[._-]test\.|_test\.|(?:^|\/)test_/;
const MIN_WORDS = 5;
const MAX_WORDS = 20;

const firstSentence = (comment: string): string => {
  const text = comment
    .replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/[/!]?|#+|"""|'''|--)+ ?/gm, '')
    .replace(/\*\/\s*$/gm, '')
    .replace(/<[^>]+>|\{@\w+\s+([^}]*)\}/g, ' $1 ')
    .trim();
  return /^[\s\S]*?(?:[.!?](?=\s|$)|\n\s*\n|\n\s*@|$)/.exec(text)?.[0].replace(/\s+/g, ' ').trim() ?? '';
};

/** The words of a sentence without those that the name of what it describes is made of. */
const withoutName = (sentence: string, name: string): readonly string[] => {
  const banned = new Set([name.toLowerCase(), ...splitName(name)]);
  return (sentence.match(/[\p{L}][\p{L}\p{N}_'-]*/gu) ?? []).filter((word) => {
    const parts = [word.toLowerCase(), ...splitName(word)];
    return !parts.some((part) => banned.has(part) || banned.has(part.replace(/s$/, '')) || banned.has(`${part}s`));
  });
};

/** Questions about definitions of a repository that have a comment; the same ones each time. */
export async function makeQuestions(root: string, paths: readonly string[], count: number, seed: number): Promise<readonly Question[]> {
  const questions: Question[] = [];
  for (const path of paths.filter((each) => CODE.test(each) && !TEST.test(each))) {
    const text = readFileSync(join(root, path), 'utf8');
    const lines = text.split('\n');
    for (const { name, kind, start, end } of await extractSymbols(path, text)) {
      if (!/function|method|class/.test(kind)) continue;
      const from = startWithComment(lines, start, 1);
      const words = withoutName(firstSentence(commentOf(lines, { from, start, end })), name);
      if (words.length >= MIN_WORDS) questions.push({ query: words.slice(0, MAX_WORDS).join(' '), path, start: from, end });
    }
  }
  const unique = [...new Map(questions.map((question) => [question.query, question])).values()];
  return sample(unique, count, seed);
}

/** The lines of a repository without the comments of the questions, so that nothing repeats them word by word. */
export function withoutComments(text: string, path: string, questions: readonly Question[]): string {
  const lines = text.split('\n');
  for (const { path: where, start, end, query } of questions) {
    if (where !== path) continue;
    const words = new Set(query.split(' '));
    const isSaid = (line: string): boolean => {
      const said = line.match(/[\p{L}][\p{L}\p{N}_'-]*/gu) ?? [];
      return said.length > 0 && said.filter((word) => words.has(word)).length * 2 >= said.length;
    };
    const commented = lines.findIndex((line, index) => index >= start - 1 && index < end && isSaid(line));
    for (let at = commented; at !== -1 && at < end && isSaid(lines[at]!); at += 1) lines[at] = '';
  }
  return lines.join('\n');
}
