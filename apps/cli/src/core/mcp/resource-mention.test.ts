import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { findResourceMentions } from './resource-mention.js';

const find = (text: string): readonly string[] =>
  findResourceMentions(text, new Set(['everything']), ({ uri }) => uri === 'demo://odd.').map(({ uri }) => uri);

test.each([
  ['what says @everything:demo://a/1?', ['demo://a/1']],
  ['(@everything:demo://a/1), and @everything:demo://a/1 again', ['demo://a/1']],
  ['@"everything:demo://with blank"', ['demo://with blank']],
  ['@everything:demo://odd. and @everything:demo://even.', ['demo://odd.', 'demo://even']],
  ['me@everything:demo://a, @other:demo://a, @src/a.ts:10-20, @everything', []],
])(verifies('L3:mcp-resources', 'of %j these are resources'), (text, uris) => {
  expect(find(text)).toEqual(uris);
});
