import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { freezeText, thawText } from './frozen-text.js';

const hashes = { meta: ['schema', '2', 'title', 'Tidy up', 'mode', 'medium'], calls: ['open', 'call_1'], messages: [] };

const log = [['7-0', ['text', '{"seq":7,"type":"tool_status","call_id":"call_1"}']]] as const;
const audit = [['1764-1', ['outcome', 'asked', 'by', 'ann']]] as const;

test('what was put away comes back as it was', () => {
  const parts = { ...hashes, log, audit };
  expect(thawText(freezeText(parts))).toEqual(parts);
});

test(verifies('R4:frozen-forms', 'what a release before this one put away is read'), () => {
  const first = '1i46Gle46Skag0hgUvEo6SiGZKZUKpQXgJJUCTlng7KUUqxOtBDIZVgUZgkRiYwE=';
  expect(thawText(first)).toEqual({ ...hashes, log: [], audit: [] });
  const second = '2i46Gle46Skag0hgUvEo6SiGZKZUKpQXgJJUCTlng7KUEakWATIZVQYYgkVid6Gglc+wtOXOSWl+GkKYK2EBDczMTXUOQmUgtbWizGdzOTszLA6mNBQA=';
  expect(thawText(second)).toEqual({ ...hashes, log, audit });
  expect(() => thawText('9abc')).toThrow('a form that this release does not know: 9');
});
