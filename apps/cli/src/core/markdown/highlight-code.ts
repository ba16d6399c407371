import type { Line, Span, Style } from '../text/span.js';
import { sanitise } from '@codelab/tools/human';

/** Colours source code: text and language in, one line of spans per line of code out. */
export type Highlighter = (code: string, language: string) => readonly Line[];

/** More than this is shown without colours: colouring is for reading, and must not cost a second. */
const MAX_CHARACTERS = 60_000;

/** Texts whose colours are remembered: what is on the screen is drawn many times a second. */
const MAX_REMEMBERED = 64;

/** Token of highlight.js → style. A token that is not named here looks plain. */
const TOKEN_STYLES: Readonly<Record<string, Style>> = {
  keyword: { colour: 'blue' },
  built_in: { colour: 'cyan' },
  type: { colour: 'cyan' },
  literal: { colour: 'magenta' },
  number: { colour: 'magenta' },
  regexp: { colour: 'green' },
  string: { colour: 'green' },
  symbol: { colour: 'green' },
  title: { bold: true },
  comment: { dim: true, italic: true },
  doctag: { dim: true, bold: true },
  meta: { dim: true },
  tag: { colour: 'blue' },
  name: { colour: 'blue' },
  attr: { colour: 'cyan' },
  attribute: { colour: 'cyan' },
  variable: { colour: 'cyan' },
  bullet: { colour: 'blue' },
  section: { bold: true },
  quote: { dim: true },
  link: { underline: true },
  addition: { colour: 'green' },
  deletion: { colour: 'red' },
  'selector-tag': { colour: 'blue' },
  'selector-id': { colour: 'cyan' },
  'selector-class': { colour: 'cyan' },
};
const TOKENS = ['class', 'function', 'params', 'subst', 'strong', 'emphasis', 'code', 'formula', 'default', 'builtin-name', 'meta-keyword'];
const TOKEN_NAMES = [
  ...Object.keys(TOKEN_STYLES),
  ...TOKENS,
  'meta-string',
  'selector-attr',
  'selector-pseudo',
  'template-tag',
  'template-variable',
];

/** No colours: what is shown until the highlighter is loaded, and for languages it doesn't know. */
export const plainHighlighter: Highlighter = (code) => code.split('\n').map((text) => [{ text }]);

/** Loads the highlighter, which takes a moment, so that it isn't loaded before it is needed. */
export async function loadHighlighter(): Promise<Highlighter> {
  const { highlight, supportsLanguage } = await import('cli-highlight');
  const theme = Object.fromEntries(
    TOKEN_NAMES.map((name, index) => [name, (text: string) => `\x1b${String.fromCharCode(0x100 + index)}${text}\x1b/`]),
  );
  return remembering((code, language) => {
    if (language === '' || code.length > MAX_CHARACTERS || !supportsLanguage(language)) return plainHighlighter(code, language);
    const safe = sanitise(code);
    const marked = highlight(safe, { language, ignoreIllegals: true, theme });
    const lines = readMarks(marked);
    const whole = lines.map((line) => line.map(({ text }) => text).join('')).join('\n');
    return whole === safe ? lines : plainHighlighter(code, language);
  });
}

function remembering(highlight: Highlighter): Highlighter {
  const known = new Map<string, readonly Line[]>();
  return (code, language) => {
    const key = `${language}\n${code}`;
    const lines = known.get(key) ?? highlight(code, language);
    known.delete(key);
    known.set(key, lines);
    if (known.size > MAX_REMEMBERED) known.delete(known.keys().next().value!);
    return lines;
  };
}

function readMarks(marked: string): readonly Line[] {
  const lines: Span[][] = [[]];
  const stack: Style[] = [];
  for (const [index, part] of marked.split('\x1b').entries()) {
    const isMark = index > 0;
    if (isMark && part.startsWith('/')) stack.pop();
    else if (isMark) stack.push({ ...stack.at(-1), ...TOKEN_STYLES[TOKEN_NAMES[part.charCodeAt(0) - 0x100]!] });
    for (const [row, text] of (isMark ? part.slice(1) : part).split('\n').entries()) {
      if (row > 0) lines.push([]);
      if (text !== '') lines.at(-1)!.push({ text, style: stack.at(-1) });
    }
  }
  return lines;
}
