/** Stands for a literal while a request is taken apart: no word of a language looks like it. */
const OPEN = '\uE000';
const CLOSE = '\uE001';
const MARK = /\uE000(\d+)\uE001/g;

/** A code block; its last line break belongs to it. */
const FENCE = /(^|\n)[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:\n[ \t]*\2[ \t]*(?=\n|$)|$)/g;
const BACKTICKS = /`([^`\n]+)`/g;
/** Quotation marks that begin a word and end one, so that an apostrophe is none. */
const QUOTES =
  /(^|[\s(:=,])(?:"((?:[^"\\]|\\.)*)"|'([^'\n]*)'|[“«„]([^”»“]*)[”»“]|‘([^’]*)’|「([^」]*)」)(?=$|[\s),.;:!?]|[\u0080-\uFFFF])/g;

/**
 * Longer runs of blanks than anybody types are cut, longer words than any path are literals: the expressions that look for words would
 * take a second over them.
 */
const LONG_BLANK = /\s{40,}/g;
const LONG_WORD = /\S{300,}/g;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** A request whose quoted texts and code blocks are replaced by marks, so that nothing in them is taken for a request. */
export interface Shielded {
  readonly text: string;
  readonly literals: readonly Literal[];
}

export interface Literal {
  readonly text: string;
  readonly kind: 'quoted' | 'block';
}

/** Replaces literals by marks. In double quotes `\n`, `\t` and `\"` mean what they mean in code. */
export function shield(text: string): Shielded {
  const literals: Literal[] = [];
  const keep = (literal: Literal) => `${OPEN}${literals.push(literal) - 1}${CLOSE}`;
  const shielded = text
    .replace(/[\uE000\uE001]/g, ' ')
    .replace(FENCE, (_all, before: string, _fence, content: string) => `${before} ${keep({ text: `${content}\n`, kind: 'block' })} `)
    .replace(BACKTICKS, (_all, content: string) => keep({ text: content, kind: 'quoted' }))
    .replace(QUOTES, (_all, before: string, double: string | undefined, ...others: (string | undefined)[]) => {
      const content =
        double?.replace(/\\(.)/g, (_escape, char: string) => ESCAPES[char] ?? char) ??
        others.slice(0, 4).find((other) => other !== undefined);
      return before + keep({ text: content ?? '', kind: 'quoted' });
    });
  const short = shielded
    .replace(LONG_BLANK, (run) => (run.includes('\n') ? '\n' : ' '))
    .replace(LONG_WORD, (word) => keep({ text: unshield(word, literals), kind: 'quoted' }));
  return { text: short, literals };
}

/** The text that a shielded text stands for. */
export function unshield(text: string, literals: readonly Literal[]): string {
  return text.replace(MARK, (_mark, index: string) => literals[Number(index)]?.text ?? '');
}

/** The literals in a shielded text, in order. */
export function literalsIn(text: string, literals: readonly Literal[]): Literal[] {
  return [...text.matchAll(MARK)].flatMap(([, index]) => literals[Number(index)] ?? []);
}

/** Matches one mark in a regular expression source. */
export const LITERAL = '\\uE000\\d+\\uE001';
