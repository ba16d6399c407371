import { expect, test } from 'vitest';
import { CallOrder } from './call-order.js';
import type { StreamPart } from './stream-part.js';

type CallPart = Extract<StreamPart, { kind: 'tool_call_start' | 'tool_call_delta' | 'tool_call_end' }>;
const start = (index: number): CallPart => ({ kind: 'tool_call_start', index, id: `c${index}`, name: 'n' });
const args = (index: number, text: string): CallPart => ({ kind: 'tool_call_delta', index, arguments: text });
const end = (index: number): CallPart => ({ kind: 'tool_call_end', index });

test('the first call goes out as it comes; the next one when it has ended, at once with what was held', () => {
  const order = new CallOrder();
  const give = (part: CallPart) => [...order.add(part)];
  expect(give(start(0))).toEqual([start(0)]);
  expect(give(start(1))).toEqual([]);
  expect(give(args(1, 'b'))).toEqual([]);
  expect(give(args(0, 'a'))).toEqual([args(0, 'a')]);
  expect(give(end(0))).toEqual([end(0), start(1), args(1, 'b')]);
  expect(give(args(1, 'c'))).toEqual([args(1, 'c')]);
});

test('calls that ended while they were held all go out; what comes after an end does not', () => {
  const order = new CallOrder();
  for (const part of [start(0), start(1), end(1), args(1, 'late'), start(2), end(2)]) expect([...order.add(part)].length).toBeLessThan(2);
  expect([...order.add(end(0))]).toEqual([end(0), start(1), end(1), start(2), end(2)]);
  expect([...order.add(args(0, 'late'))]).toEqual([]);
  expect([...order.end()]).toEqual([]);
});

test('the end of the answer ends every call', () => {
  const order = new CallOrder();
  for (const part of [start(0), start(1), end(1), start(2)]) expect([...order.add(part)].length).toBeLessThan(2);
  expect([...order.end()]).toEqual([end(0), start(1), end(1), start(2), end(2)]);
});
