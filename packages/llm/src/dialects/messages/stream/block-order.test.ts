import { expect, test } from 'vitest';
import type { StreamPart } from '../../../canonical/stream-part.js';
import { BlockOrder } from './block-order.js';

type Content = Exclude<StreamPart, { kind: 'finish' }>;
const start = (index: number): Content => ({ kind: 'tool_call_start', index, id: `c${index}`, name: 'read' });
const delta = (index: number, args = 'x'): Content => ({ kind: 'tool_call_delta', index, arguments: args });
const end = (index: number): Content => ({ kind: 'tool_call_end', index });
const text: Content = { kind: 'text_delta', text: 't' };

const order = (parts: readonly Content[]): Content[] => {
  const blocks = new BlockOrder();
  return [...parts.flatMap((part) => [...blocks.add(part)]), ...blocks.end()];
};

test('what begins behind an open call waits for its end; what comes for a call that ended is left out', () => {
  const given = [text, start(0), start(1), delta(1, 'a'), text, delta(0, 'b'), end(1), delta(1, 'late'), end(0), delta(0, 'late'), text];
  expect(order(given)).toEqual([text, start(0), delta(0, 'b'), end(0), start(1), delta(1, 'a'), end(1), text, text]);
  expect(order([start(0), start(1), text])).toEqual([start(0), end(0), start(1), end(1), text]);
});

test('many calls by turns take time in proportion to their number', () => {
  const calls = Array.from({ length: 20_000 }, (_, index) => index);
  const given = order([...calls.map(start), ...calls.map(() => delta(19_999)), ...calls.toReversed().map(end)]);
  expect(given).toHaveLength(60_000);
  expect(given.filter(({ kind }) => kind !== 'tool_call_delta')).toEqual(calls.flatMap((index) => [start(index), end(index)]));
});
