import { expect, test } from 'vitest';
import { childOf, contextNamed, readTraceparent, writeTraceparent } from './trace-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test.each([
  ['as it is', `00-${TRACE}-${SPAN}-01`, { traceId: TRACE, spanId: SPAN, isSampled: true }],
  ['not sampled', `00-${TRACE}-${SPAN}-00`, { traceId: TRACE, spanId: SPAN, isSampled: false }],
  ['of a later version, longer', `cc-${TRACE}-${SPAN}-03-what-will-be`, { traceId: TRACE, spanId: SPAN, isSampled: true }],
  ['of no version', `ff-${TRACE}-${SPAN}-01`, undefined],
  ['without a trace', `00-${'0'.repeat(32)}-${SPAN}-01`, undefined],
  ['without a span', `00-${TRACE}-${'0'.repeat(16)}-01`, undefined],
  ['in capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`, undefined],
  ['no text', 7, undefined],
])('a traceparent is read: %s', (_, text, context) => {
  expect(readTraceparent(text)).toEqual(context);
  if (context !== undefined) expect(readTraceparent(writeTraceparent(context))).toEqual(context);
});

test('what has a name has the same ids in every process, and stands below what it belongs to', () => {
  const turn = { ...contextNamed('turn_1'), isSampled: true };
  expect(contextNamed('turn_1')).toEqual({ traceId: turn.traceId, spanId: turn.spanId });
  expect(contextNamed('turn_2').traceId).not.toBe(turn.traceId);
  expect(childOf(turn, 'call_1')).toMatchObject({ traceId: turn.traceId, spanId: contextNamed('call_1').spanId, isSampled: true });
});
