import { common, createLowlight } from 'lowlight';

/** What a stretch of code is, as far as its colour tells. */
export type CodeKind = 'keyword' | 'string' | 'number' | 'comment' | 'name' | 'type';

/** A stretch of a line of code. */
export interface CodePiece {
  readonly text: string;
  readonly kind?: CodeKind | undefined;
}

/** Longer code has no colours: reading it would take too long. */
const MAX_CHARACTERS = 200_000;

/** Grammars try again at each character of what looks like one long word or name: they take the square of its length. */
const MAX_LINE = 1_000;
const MAX_WORDS = 1_000;

const lowlight = createLowlight(common);
lowlight.registerAlias({
  typescript: ['mts', 'cts'],
  javascript: ['mjs', 'cjs'],
  bash: ['zsh', 'console', 'shell'],
  xml: ['vue', 'svelte'],
});

/** The first class of the grammar's names decides. */
const KINDS: Readonly<Record<string, CodeKind>> = {
  'hljs-keyword': 'keyword',
  'hljs-literal': 'keyword',
  'hljs-built_in': 'name',
  'hljs-title': 'name',
  'hljs-name': 'name',
  'hljs-section': 'name',
  'hljs-selector-tag': 'name',
  'hljs-attr': 'name',
  'hljs-attribute': 'name',
  'hljs-property': 'name',
  'hljs-symbol': 'name',
  'hljs-type': 'type',
  'hljs-class': 'type',
  'hljs-selector-class': 'type',
  'hljs-string': 'string',
  'hljs-regexp': 'string',
  'hljs-link': 'string',
  'hljs-number': 'number',
  'hljs-meta': 'comment',
  'hljs-doctag': 'comment',
  'hljs-comment': 'comment',
  'hljs-quote': 'comment',
};

/** Whether code of this language gets colours: a fence's word, or what `languageOf` says of a path. */
export const isKnownLanguage = (language: string): boolean => language !== '' && lowlight.registered(language);

/**
 * Code by lines, each in pieces that are coloured alike; the pieces of a line are its text. of a language that isn't known, or too long for it, each line is one
 * piece.
 */
export function highlightLines(code: string, language: string): readonly (readonly CodePiece[])[] {
  const name = language.toLowerCase();
  const plain = (): readonly (readonly CodePiece[])[] => code.split('\n').map((text) => [{ text }]);
  if (!isKnownLanguage(name) || isTooMuch(code)) return plain();
  try {
    const lines: CodePiece[][] = [[]];
    collect(lowlight.highlight(name, code), undefined, lines);
    return lines;
  } catch {
    return plain(); // nested more deeply than the stack is
  }
}

/** Longer lines, or more words without a sign between them, than people write. */
const isTooMuch = (code: string): boolean =>
  code.length > MAX_CHARACTERS ||
  code.split('\n').some(({ length }) => length > MAX_LINE) ||
  code.split(/[^\w\s]+/).some(({ length }) => length > MAX_WORDS);

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

function collect(node: Node, kind: CodeKind | undefined, lines: CodePiece[][]): void {
  if (node.type === 'text') {
    for (const [index, text] of (node.value ?? '').split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)!.push({ text, kind });
    }
    return;
  }
  const own = kindOf(node.properties?.['className']) ?? kind;
  for (const child of node.children ?? []) collect(child, own, lines);
}

function kindOf(classes: unknown): CodeKind | undefined {
  const [first] = Array.isArray(classes) ? (classes as readonly unknown[]) : [];
  return typeof first === 'string' && Object.hasOwn(KINDS, first) ? KINDS[first] : undefined;
}
