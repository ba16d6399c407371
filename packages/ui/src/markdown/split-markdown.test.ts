import { expect, test } from 'vitest';
import fc from 'fast-check';
import { splitMarkdown } from './split-markdown.js';

const sources = (text: string): readonly string[] =>
  splitMarkdown(text).map((block) =>
    block.kind === 'code' ? `${block.language}${block.closed ? '' : '…'}: ${block.source}` : block.source,
  );

test.each<[string, string, readonly string[]]>([
  ['paragraphs', 'a\nb\n\nc', ['a\nb', 'c']],
  ['headings stand by themselves', '# A\ntext\n## B\n', ['# A', 'text', '## B']],
  ['a list with blank lines is one list', '1. a\n\n2. b\n   more\n\nend', ['1. a\n\n2. b\n   more', 'end']],
  ['code is code, blank lines too', 'x\n```ts\na\n\nb\n```\ny', ['x', 'ts: a\n\nb', 'y']],
  ['code that is still coming', '```py\na', ['py…: a']],
  ['a longer fence holds a shorter one', '````md\n```\n````', ['md: ```']],
  ['a fence in a list stays there', '- a\n\n  ```\n  b\n\n  c\n  ```\n\n- d', ['- a\n\n  ```\n  b\n\n  c\n  ```\n\n- d']],
  ['windows line ends', 'a\r\n\r\nb\r\n', ['a', 'b']],
])('%s', (_, text, expected) => expect(sources(text)).toEqual(expected));

test('what is large or nested beyond reading is shown as it is', () => {
  const deep = ['> '.repeat(50_000), '- '.repeat(50_000), '[a'.repeat(10_000), '*'.repeat(500), 'x'.repeat(20_001)];
  for (const text of deep) expect(splitMarkdown(text).map(({ kind }) => kind)).toEqual(['plain']);
});

test('a block but the last one stays what it is, whatever follows', () => {
  const unit = fc.constantFrom('a', ' ', '\n', '\n\n', '- ', '1. ', '```', '~~~', '# ', '> ', '|', '    ');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), fc.string({ unit, maxLength: 30 }), (text, more) => {
      const lines = `${text}\n`; // by lines: a line that grows may become another one
      const before = splitMarkdown(lines).slice(0, -1);
      expect(splitMarkdown(lines + more).slice(0, before.length)).toEqual(before);
    }),
  );
});
