import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { freezeText, thawText } from './frozen-text.js';

const hashes = { meta: ['schema', '2', 'title', 'Tidy up', 'mode', 'medium'], calls: ['open', 'call_1'], messages: [] };

test('what was put away comes back as it was', () => {
  const parts = { ...hashes, log: [['7-0', ['text', '{"seq":7,"type":"…"}']]], audit: [['1764-1', ['by', 'ann']]] } as const;
  expect(thawText(freezeText(parts))).toEqual(parts);
});

test(verifies('R4:frozen-forms', 'what a release before this one put away is read'), () => {
  const first = '1i46Gle46Skag0hgUvEo6SiGZKZUKpQXgJJUCTlng7KUUqxOtBDIZVgUZgkRiYwE=';
  expect(thawText(first)).toEqual({ ...hashes, log: [], audit: [] });
  expect(() => thawText('9abc')).toThrow('a form that this release does not know: 9');
});
