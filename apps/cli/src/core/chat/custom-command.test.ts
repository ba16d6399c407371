import { expect, test } from '@jest/globals';
import { fillCommand } from './custom-command.js';

test.each([
  ['Fix $ARGUMENTS, then test $ARGUMENTS.', 'a.ts', 'Fix a.ts, then test a.ts.'],
  ['Fix $ARGUMENTS', "$& $' $ARGUMENTS", "Fix $& $' $ARGUMENTS"],
  ['Review it.\n', '', 'Review it.'],
  ['Review it.\n', 'the tests', 'Review it.\n\nthe tests'],
  ['---\ndescription: d\n---\nReview it.', '', 'Review it.'],
  ['---\r\ndescription: d\r\n---\r\nReview it.', '', 'Review it.'],
  ['---\nReview it.', '', '---\nReview it.'],
  ['--- a\nReview it.', '', '--- a\nReview it.'],
])('%j with %j', (file, args, message) => {
  expect(fillCommand(file, args)).toBe(message);
});
