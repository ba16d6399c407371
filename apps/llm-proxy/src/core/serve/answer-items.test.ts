import { expect, test } from 'vitest';
import { AnswerItems } from './answer-items.js';

const ME = { tenant: 't', sub: 'me' };

test('an item is found by its owner alone', () => {
  const items = new AnswerItems();
  items.keep(ME, 'msg_1', { type: 'message' });
  expect(items.find(ME, 'msg_1')).toEqual({ type: 'message' });
  expect(items.find(ME, 'msg_2')).toBeUndefined();
  expect(items.find({ tenant: 't', sub: 'you' }, 'msg_1')).toBeUndefined();
});

test('the oldest items go when there are too many, and one that is kept again is young', () => {
  const items = new AnswerItems(30);
  const kept = () => ['a', 'b', 'c', 'd'].filter((id) => items.find(ME, id));
  for (const id of ['a', 'b', 'a', 'c']) items.keep(ME, id, { n: 123_456 });
  expect(kept()).toEqual(['a', 'c']);
  items.keep(ME, 'd', { text: 'x'.repeat(100) });
  expect(kept()).toEqual([]);
});
