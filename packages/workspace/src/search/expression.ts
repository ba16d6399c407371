import { RE2JS } from 're2js';
import { invalidQuery, type Query } from './query.js';

const UNICODE: Readonly<Record<string, readonly [outside: string, inClass: string]>> = {
  d: ['\\p{Nd}', '\\p{Nd}'],
  w: ['[\\p{L}\\p{M}\\p{Nd}\\p{Pc}]', '\\p{L}\\p{M}\\p{Nd}\\p{Pc}'],
  D: ['\\P{Nd}', '\\P{Nd}'],
  W: ['[^\\p{L}\\p{M}\\p{Nd}\\p{Pc}]', '\\W'],
};

/** Makes `\d` and `\w` mean what they mean to ripgrep: digits and letters of every script. */
const withUnicodeClasses = (source: string): string => {
  let inClass = false;
  return source.replace(/\\(.)|\[\^?\]?|\]/gs, (whole, escaped: string | undefined) => {
    if (escaped !== undefined) return UNICODE[escaped]?.[inClass ? 1 : 0] ?? whole;
    inClass = whole.startsWith('[');
    return whole;
  });
};

/** Where a match lies in a text, in UTF-16 units. */
export type Span = readonly [start: number, end: number];

/** The matches of a text, one after the other from the first on. */
export type FindAll = (text: string) => Iterable<Span>;

function* spansOf(pattern: RE2JS, text: string): Generator<Span> {
  const matcher = pattern.matcher(text);
  while (matcher.find()) yield [matcher.start(), matcher.end()];
}

function* placesOf(pattern: RegExp, text: string): Generator<Span> {
  for (const { 0: found, index } of text.matchAll(pattern)) yield [index, index + found.length];
}

/**
 * A query in the engine that is there on every machine. Regular expressions are those of RE2, in a time that grows with the text and not
 * beyond: the syntax is ripgrep's, without what takes backtracking.
 *
 * @throws ToolFailure `INVALID_ARGUMENTS` with the reason, if the query is no regular expression
 */
export function compileQuery({ text, regex, caseSensitive, multiline = false }: Query): FindAll {
  if (!regex) {
    const literal = text.replaceAll('\r\n', '\n').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    const pattern = new RegExp(literal, caseSensitive ? 'gu' : 'giu');
    return (content) => placesOf(pattern, content);
  }
  const flags = (caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE) | (multiline ? RE2JS.MULTILINE | RE2JS.DOTALL : 0);
  try {
    const pattern = RE2JS.compile(withUnicodeClasses(text), flags);
    return (content) => spansOf(pattern, content);
  } catch (error) {
    throw invalidQuery(error instanceof Error ? error.message : 'it is no regular expression');
  }
}
