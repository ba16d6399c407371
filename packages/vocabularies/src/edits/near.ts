import { findRuns } from './find-runs.js';

/** Characters of file and text that are compared, so that a hint costs no more than some 50 ms; longer ones get none that needs it. */
const MAX_COMPARED = 256 * 1024;

/**
 * Why a text may not have been found in a file, in one sentence for a model; empty if there is nothing to say. Only ever a hint: what it
 * tells is never taken as equal (vocabularies, rule 11).
 */
export function nearHint(content: string, needle: string): string {
  if (hasLineNumbers(needle)) return 'It has line-number prefixes; give the text without them.';
  if (content.length + needle.length > MAX_COMPARED) return '';
  for (const [how, fold] of FOLDS) {
    const lines = linesOfFolded(content, needle, fold);
    if (lines !== undefined) return `${lines} equal to it apart from ${how}.`;
  }
  const unescaped = unescape(needle);
  const lines = unescaped === needle ? undefined : linesOfFolded(content, unescaped, (text) => text);
  if (lines !== undefined) return `${lines} equal to it once \\n, \\t and \\" are unescaped.`;
  return similarLine(content, needle) ?? '';
}

const QUOTES: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '`': "'",
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '...',
};

/** What is taken for equal, one after another; none changes the number of lines. */
const FOLDS: readonly (readonly [how: string, fold: (text: string) => string])[] = [
  ['blanks', (text) => text.replace(/[^\S\n]+/g, '')],
  ['Unicode form or quote style', (text) => text.normalize('NFKC').replace(/[‘’‚“”„«»`–—−…]/g, (sign) => QUOTES[sign]!)],
  ['case', (text) => text.toLowerCase()],
];

/** Every line has a number as a view of a file shows it, one more than the line before. */
function hasLineNumbers(needle: string): boolean {
  const numbers = needle
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => /^[ \t]*(\d{1,7})(?:\t|: ?|→)/.exec(line)?.[1]);
  const [first] = numbers;
  return first !== undefined && numbers.every((number, place) => Number(number) === Number(first) + place);
}

/** `Line 3 is` or `Lines 3-5 are` of the first place where the texts are equal once folded. */
function linesOfFolded(content: string, needle: string, fold: (text: string) => string): string | undefined {
  const folded = fold(needle).replace(/^\n+|\n+$/g, '');
  if (folded === '') return undefined;
  const all = fold(content);
  const [start] = findRuns(all, folded);
  if (start === undefined) return undefined;
  const first = all.slice(0, start).split('\n').length;
  const last = first + folded.split('\n').length - 1;
  return first === last ? `Line ${String(first)} is` : `Lines ${String(first)}-${String(last)} are`;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', "'": "'", '\\': '\\' };
const unescape = (text: string): string => text.replace(/\\([nt"'\\])/g, (_all, sign: string) => ESCAPES[sign]!);

/** Less alike than this isn't worth telling; 1 is equal. */
const MIN_LIKENESS = 0.25;
const MAX_LINE = 300;

function similarLine(content: string, needle: string): string | undefined {
  const wanted = needle.split('\n').find((line) => line.trim() !== '');
  if (wanted === undefined) return undefined;
  const pairs = new Pairs(wanted);
  let best: { readonly line: string; readonly number: number; readonly likeness: number } | undefined;
  for (const [place, raw] of content
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const likeness = pairs.likenessOf(raw);
    if (likeness >= MIN_LIKENESS && likeness > (best?.likeness ?? 0)) best = { line: raw.replace(/\r$/, ''), number: place + 1, likeness };
  }
  return best === undefined ? undefined : `Most similar line ${String(best.number)}: ${best.line.slice(0, MAX_LINE)}`;
}

const edged = (line: string): string => ` ${line.trim().slice(0, MAX_LINE)} `;
const pairAt = (text: string, at: number): number => (text.charCodeAt(at - 1) << 16) | text.charCodeAt(at);

/** The pairs of neighbouring characters of a line. */
class Pairs {
  private readonly places = new Map<number, number>();
  private readonly counts: number[] = [];
  private readonly size: number;

  constructor(line: string) {
    const text = edged(line);
    this.size = text.length - 1;
    for (let at = 1; at < text.length; at++) {
      const place = this.places.get(pairAt(text, at)) ?? this.counts.length;
      this.places.set(pairAt(text, at), place);
      this.counts[place] = (this.counts[place] ?? 0) + 1;
    }
  }

  /** The share of pairs that another line has, too (Dice). */
  likenessOf(line: string): number {
    const text = edged(line);
    const left = this.counts.slice();
    let common = 0;
    for (let at = 1; at < text.length; at++) {
      const place = this.places.get(pairAt(text, at));
      if (place === undefined || left[place] === 0) continue;
      left[place]! -= 1;
      common += 1;
    }
    return (2 * common) / (this.size + text.length - 1);
  }
}
