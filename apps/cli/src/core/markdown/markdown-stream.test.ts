import { beforeAll, expect, test } from 'vitest';
import fc from 'fast-check';
import type { Line } from '../text/span.js';
import type { Highlighter } from './highlight-code.js';
import { loadHighlighter, plainHighlighter } from './highlight-code.js';
import { MarkdownStream } from './markdown-stream.js';
import type { MarkdownLook } from './render-markdown.js';

const LOOK: MarkdownLook = { width: 40, highlight: plainHighlighter, marks: false };
const DOCUMENT = `# Title with **bold**

A paragraph that is long enough to be wrapped once or twice, with \`code\` and [a link](https://example.com).
- one
- two
  continued

  and more
  - nested
1. first
2. second

   \`\`\`sh
   npm test

   # not a heading
   \`\`\`
3. third

> quoted
> text

| name | value |
|------|------:|
| a    | 1     |
| long cell here | 22 |

~~~
fence with tildes
\`\`\`
~~~
After the fence:
\`\`\`ts
const a = 1;

/* a comment
   over lines */
\`\`\`
---
The end, unfinished **bo`;

let highlight: Highlighter;
beforeAll(async () => {
  highlight = await loadHighlighter();
});

const toText = (lines: readonly Line[]): string[] =>
  lines.map((line) =>
    line
      .map((part) => part.text)
      .join('')
      .trimEnd(),
  );

function stream(pieces: readonly string[], look = LOOK): { settled: Line[]; all: Line[] } {
  const markdown = new MarkdownStream();
  const settled = pieces.flatMap((piece) => markdown.push(piece, look));
  return { settled, all: [...settled, ...markdown.end(look)] };
}

test('the whole document looks as it should', () => {
  expect(toText(stream([DOCUMENT]).all)).toEqual([
    'Title with bold',
    '',
    'A paragraph that is long enough to be',
    'wrapped once or twice, with code and a',
    'link (https://example.com).',
    '',
    '• one',
    '• two',
    '  continued',
    '',
    '  and more',
    '  • nested',
    '1. first',
    '2. second',
    '',
    '     npm test',
    '',
    '     # not a heading',
    '3. third',
    '',
    '▏ quoted',
    '▏ text',
    '',
    'name           │ value',
    '───────────────┼──────',
    'a              │     1',
    'long cell here │    22',
    '',
    '  fence with tildes',
    '  ```',
    '',
    'After the fence:',
    '',
    '  const a = 1;',
    '',
    '  /* a comment',
    '     over lines */',
    '',
    '─'.repeat(40),
    '',
    'The end, unfinished **bo',
  ]);
});

test('pieces of any size give the same lines as the whole text', () => {
  const cuts = fc.array(fc.integer({ min: 0, max: DOCUMENT.length }));
  const whole = stream([DOCUMENT]).all;
  fc.assert(
    fc.property(cuts, (points) => {
      const sorted = [0, ...points.sort((a, b) => a - b), DOCUMENT.length];
      const pieces = sorted.slice(1).map((end, index) => DOCUMENT.slice(sorted[index], end));
      expect(toText(stream(pieces).all)).toEqual(toText(whole));
    }),
  );
});

test('lines that were finished are never taken back, whatever follows', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: DOCUMENT.length }), (cut) => {
      const { settled } = stream([DOCUMENT.slice(0, cut)]);
      expect(toText(stream([DOCUMENT]).all).slice(0, settled.length)).toEqual(toText(settled));
    }),
  );
});

test('only the block that is being written is open', () => {
  const markdown = new MarkdownStream();
  const settled = markdown.push('First.\n\nSecond, **unfin', LOOK);
  expect(toText(settled)).toEqual(['First.']);
  expect(toText(markdown.open(LOOK))).toEqual(['', 'Second, unfin']);
  expect(markdown.open(LOOK)[1]!.at(-1)!.style).toMatchObject({ bold: true });
});

test('code is finished line by line, and a fence cut in two never flashes up', () => {
  const markdown = new MarkdownStream();
  expect(markdown.push('``', LOOK)).toEqual([]);
  expect(markdown.open(LOOK)).toEqual([]);
  expect(toText(markdown.push('`ts\nlet a;\nlet', LOOK))).toEqual(['  let a;']);
  expect(toText(markdown.open(LOOK))).toEqual(['  let']);
  expect(toText(markdown.push(' b;\n``', LOOK))).toEqual(['  let b;']);
  expect(markdown.open(LOOK)).toEqual([]);
  expect(markdown.push('`\n', LOOK)).toEqual([]);
});

test('code is coloured with its context, also line by line', () => {
  const look = { ...LOOK, highlight };
  const [first, second] = stream(['```ts\n/* one\n', 'two */ const a = 1;\n```\n'], look).all;
  expect(first![1]!.style).toMatchObject({ dim: true });
  expect(second!.find((part) => part.text.includes('two */'))!.style).toMatchObject({ dim: true });
  expect(second!.find((part) => part.text === 'const')!.style).toMatchObject({ colour: 'blue' });
});

test('code of an unknown language, and code with control characters, is shown all the same', () => {
  const look = { ...LOOK, highlight };
  expect(toText(stream(['```nosuch\n<a> & b\n```\n```html\n<a href="x">&amp;</a>\n```\n'], look).all)).toEqual([
    '  <a> & b',
    '',
    '  <a href="x">&amp;</a>',
  ]);
  expect(toText(stream(['```ts\nlet a = "\x1b[31m";\n```\n'], look).all)).toEqual(['  let a = "\\x1b[31m";']);
});

test('a wide table shares the width', () => {
  const rows = toText(stream(['| a | b |\n|---|---|\n| ' + 'word '.repeat(20) + '| x |\n']).all);
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(40);
  expect(rows.join(' ').match(/word/g)).toHaveLength(20);
});

test('any text is rendered without an error', () => {
  const marks = fc.constantFrom(
    '```',
    '~~~',
    '\n',
    '\n\n',
    '- ',
    '1. ',
    '> ',
    '|',
    '|---|',
    '**',
    '`',
    '# ',
    '[a](b)',
    '   ',
    'word ',
    '<b>',
    '&lt;',
  );
  fc.assert(fc.property(fc.array(marks), (parts) => void stream(parts)));
});
