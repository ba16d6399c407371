import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { continueTrace } from './trace.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

test(verifies('L3:trace', "a caller's trace goes on with a span of ours; one that is not valid begins anew"), () => {
  const { id, traceparent } = continueTrace(`00-${TRACE}-b7ad6b7169203331-00`);
  expect(id).toBe(TRACE);
  expect(traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!b7ad6b7169203331)[0-9a-f]{16}-00$`));
});

test.each([
  ['none', undefined],
  ['another form', 'abc'],
  ['an id of zeros', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
  ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['a forbidden version', `ff-${TRACE}-b7ad6b7169203331-01`],
])('with %s a trace begins', (_what, header) => {
  const { id, traceparent } = continueTrace(header);
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(id).not.toBe(TRACE);
  expect(traceparent).toBe(`00-${id}-${traceparent.split('-')[2]}-01`);
  expect(continueTrace(header).id).not.toBe(id);
});
