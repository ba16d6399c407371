import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { highlightLines } from '../code/highlight-code.js';
import { lexBlock } from './lex-block.js';
import { splitMarkdown } from './split-markdown.js';

const SIZE = 19_900;
const filled = (unit: string, before = ''): string => before + unit.repeat((SIZE - before.length) / unit.length);
const columns = 3_000;

test.each([
  ['emphasis that never ends', filled('*a\n')],
  ['emphasis in emphasis', filled('*a _b ')],
  ['emphasis in a list', filled('      **a\n', '- x\n')],
  ['lines of a list', filled('a\n', '- ')],
  ['links that never end', filled('[\n')],
  ['code that never ends', filled('`\n', '- ')],
  ['a table that its head makes wide', `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${'|x|\n'.repeat(1_900)}`],
])(verifies('G4:page-freeze', 'a page does not take text of a model apart that would freeze it: %s'), (_, text) => {
  const began = performance.now();
  const blocks = splitMarkdown(text);
  const read = blocks.filter(({ kind }) => kind === 'markdown').flatMap(({ source }) => lexBlock(source) ?? []);
  expect(read).toEqual([]);
  expect(blocks.map(({ source }) => source).join('\n').length).toBeGreaterThan(text.length - 10); // all of it is shown
  expect(performance.now() - began).toBeLessThan(3_000); // some took 15 s
});

test('a long text is taken apart up to a size, and the rest is shown as it is', () => {
  const blocks = splitMarkdown('Some *words*.\n\n'.repeat(30_000));
  expect(blocks[0]).toEqual({ kind: 'markdown', source: 'Some *words*.' });
  expect(blocks.at(-1)).toEqual({ kind: 'plain', source: 'Some *words*.' });
});

test('what people and models write is taken apart', () => {
  const table = `| a | b |\n|---|---|\n${'| *x* | `y` |\n'.repeat(300)}`.trimEnd();
  const list = '- **bold** and `code` with [a link](src/a.ts)\n'.repeat(300).trimEnd();
  for (const text of [table, list, 'a `b` *c* _d_ '.repeat(60)])
    expect(splitMarkdown(text).every(({ kind, source }) => kind === 'markdown' && lexBlock(source) !== undefined)).toBe(true);
});

test.each([
  ['typescript', 'a'.repeat(8_000)],
  ['ini', `KEY=${'A'.repeat(8_000)}`],
  ['arduino', 'a b\n'.repeat(2_000)],
])(verifies('G4:page-freeze', 'code of %s that its grammar would read again and again has no colours'), (language, code) => {
  const lines = highlightLines(code, language);
  expect(lines.flat().every(({ kind }) => kind === undefined)).toBe(true);
  expect(lines.map((pieces) => pieces.map(({ text }) => text).join('')).join('\n')).toBe(code);
});

test(verifies('G4:page-freeze', 'code that is nested more deeply than people write is shown, and the page stays'), () => {
  for (const [language, unit] of [
    ['javascript', '`${'],
    ['ruby', '"#{'],
    ['swift', '('],
    ['kotlin', '"${'],
  ] as const) {
    const code = `${unit.repeat(20)}\n`.repeat(500).trimEnd();
    const lines = highlightLines(code, language);
    expect(lines.map((pieces) => pieces.map(({ text }) => text).join('')).join('\n')).toBe(code);
  }
});
