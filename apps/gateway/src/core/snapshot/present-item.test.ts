import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { presentItem } from './present-item.js';

const said = {
  role: 'assistant',
  turn_id: 't',
  content: 'looking',
  tool_calls: [{ arguments: '{"n":12345678901234567890,"thinking":[1]}' }],
};

test(verifies('L1:thoughts', 'what a model thought is not shown to clients; everything else of its answer is'), () => {
  const thinking = [{ kind: 'thinking', text: 'private', signature: 'sig' }];
  expect(JSON.parse(presentItem(JSON.stringify({ ...said, thinking })))).toEqual(said);
  expect(presentItem(JSON.stringify({ ...said, thinking }))).not.toContain('private');
});

test('an answer without thoughts stays as it is, to the byte', () => {
  const text = `${JSON.stringify(said)} `;
  expect(presentItem(text)).toBe(text);
  const quoting = JSON.stringify({ ...said, content: 'the field "thinking":[' });
  expect(presentItem(quoting)).toBe(quoting);
});
