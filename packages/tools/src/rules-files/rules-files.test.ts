import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { formatRuleFile } from './format-rule-file.js';
import { parseRuleFile, readFrontMatter } from './parse-rule-file.js';
import { ruleSlug } from './rule-file.js';

test('a rule is front matter and text', () => {
  const file = '---\nname: No any\ndescription: types\nglobs: "**/*.ts"\nregex: \\bany\\b\nalwaysApply: false\n---\n\nNever use any.\n';
  const rule = {
    name: 'No any',
    description: 'types',
    globs: ['**/*.ts'],
    regex: ['\\bany\\b'],
    alwaysApply: false,
    rule: 'Never use any.',
  };
  expect(parseRuleFile('.codelab/rules/x.md', file)).toEqual(rule);
  expect(formatRuleFile({ name: 'No any', rule: 'Never use any.' })).toBe('---\nname: No any\n---\n\nNever use any.\n');
});

test.each<[string, object]>([
  ['Just text', { name: 'style', rule: 'Just text' }],
  ['---\nglobs: *.ts\n---\nx', { name: 'style', globs: ['*.ts'], rule: 'x' }],
  ['---\r\nglobs: **/*.ts, src/{a,b}/**\r\nalwaysApply: "True"\r\n---\r\nx', { globs: ['**/*.ts', 'src/{a,b}/**'], alwaysApply: true }],
  ['---\nglobs:\n  - *.ts\n  - !*.test.ts\n---\nx', { globs: ['*.ts', '!*.test.ts'] }],
  ['---\nregex: ["a,b", c]\n---\nx', { regex: ['a,b', 'c'] }],
  ['---\n---\nx', { name: 'style', rule: 'x' }],
  ['---\nname: [\n---\nx', { name: 'style', rule: '---\nname: [\n---\nx' }],
  ['---\nname: 12\nglobs:\n---\n', { name: '12', globs: undefined, rule: '' }],
  ['---\nno end', { name: 'style', rule: '---\nno end' }],
  ['\uFEFF---\nname: n\n---\nx', { name: 'n', rule: 'x' }],
])('%j is read without a fault', (text, rule) => expect(parseRuleFile('rules/style.md', text)).toMatchObject(rule));

test('references that multiply are not followed', () => {
  const head = ['a: &a [x,x,x,x,x,x,x,x,x]'];
  for (let at = 1; at < 9; at++) head.push(`b${String(at)}: &b${String(at)} [${`*${at === 1 ? 'a' : `b${String(at - 1)}`},`.repeat(9)}]`);
  const text = `---\n${head.join('\n')}\nname: bomb\n---\nx`;
  expect(parseRuleFile('style.md', text)).toEqual({ name: 'style', rule: text });
});

test.each([
  ['No any', 'no-any'],
  ['  ../../etc/passwd ', 'etc-passwd'],
  ['타입 규칙', '타입-규칙'],
  ['***', 'rule'],
  ['x'.repeat(80), 'x'.repeat(60)],
])('%j is named %s', (name, slug) => expect(ruleSlug(name)).toBe(slug));

test('what was written is read back', () => {
  const line = fc
    .string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
    .map((text) => text.replace(/[\p{C}\p{Z}\uFEFF]+/gu, ' ').trim());
  const word = line.filter((text) => text !== '' && !/[,{}]/.test(text));
  fc.assert(
    fc.property(
      word,
      fc.option(word, { nil: undefined }),
      fc.option(fc.array(word, { minLength: 1, maxLength: 3 }), { nil: undefined }),
      fc.option(fc.boolean(), { nil: undefined }),
      fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n').trim()),
      (name, description, globs, alwaysApply, rule) => {
        const file = { name, description, globs, regex: globs, alwaysApply, rule };
        expect(parseRuleFile('x.md', formatRuleFile(file))).toEqual(file);
      },
    ),
    { numRuns: 500 },
  );
});

test(verifies('G4:front-matter', 'front matter that is nested to end the process that reads it is none'), () => {
  for (const fields of ['- '.repeat(3_000), `a: ${'{"x":'.repeat(2_000)}`, `a: ${'['.repeat(5_000)}${']'.repeat(5_000)}`]) {
    const text = `---\n${fields}\n---\nThe rule.`;
    for (let time = 0; time < 20; time += 1) expect(readFrontMatter(text)).toEqual({ fields: {}, body: text });
  }
  expect(readFrontMatter('---\nglobs: [a, {b: [c]}]\n---\nx').body).toBe('x');
});
