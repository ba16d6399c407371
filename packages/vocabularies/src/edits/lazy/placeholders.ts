import type { Language } from '@codelab/grammars';

/** What a comment may say and still only stand for what is left out. */
const WORDS = new Set(
  (
    'existing rest of remaining unchanged same other code method methods import imports the previous function functions class classes ' +
    'here stay stays keep kept as before above below is are and all lines line implementation file content contents body fields field ' +
    'props properties property statements definitions declarations etc no changes change more omitted for brevity logic tests test cases ' +
    'case entries items keys elements members module exports in this remains remain original current already unmodified untouched'
  ).split(' '),
);

/** One of these says by itself that something is left out. */
const TELLING = new Set('existing rest remaining unchanged same omitted untouched unmodified remains'.split(' '));

/** `placeholder`: stands for what is left out. `doubtful`: may, so nothing is decided by it. */
export type CommentSense = 'placeholder' | 'doubtful' | 'text';

/** Longer comments say something. */
const MAX_LENGTH = 200;

/** What the text of a comment, without its marks, is meant for. */
export function readSense(comment: string): CommentSense {
  const text = comment.trim();
  if (text.length > MAX_LENGTH) return 'text';
  const hasDots = /^(?:\.\.\.|…)/.test(text) || /(?:\.\.\.|…)$/.test(text);
  const words = text.toLowerCase().match(/[\p{L}\p{N}_']+/gu) ?? [];
  const plain = words.every((word) => WORDS.has(word));
  const signs = text.replace(/[\p{L}\p{N}_'\s.…,;:()[\]-]+/gu, '');
  if (hasDots) return plain && signs === '' ? 'placeholder' : 'doubtful';
  return plain && words.length > 0 && words.some((word) => TELLING.has(word)) ? 'doubtful' : 'text';
}

/** The text of a comment that has a line for itself; nothing if the line is no such comment. */
export function commentIn(line: string, { line: starts, block }: Language): string | undefined {
  const text = line.trim();
  for (const [open, close] of block)
    if (text.startsWith(open) && text.endsWith(close) && text.length >= open.length + close.length)
      return text.slice(open.length, -close.length);
  const start = starts.find((mark) => text.startsWith(mark));
  return start === undefined ? undefined : text.slice(start.length).replace(/^[/#!-]+/, '');
}
