import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { verifies } from '@codelab/testkit';
import { endOfEvent, EventCutter, readEvent, type EventBlock } from './cut-events.js';

const eventsOf = (block: EventBlock): string[] => {
  const events: string[] = [];
  for (let from = 0, to: number; from < block.bytes.length; from = to) {
    to = endOfEvent(block, from);
    events.push(block.bytes.toString('utf8', from, to));
  }
  return events;
};
const cut = (whole: string, sizes: Iterator<number>): string[] => {
  const bytes = Buffer.from(whole);
  const cutter = new EventCutter();
  const events: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = sizes.next().value as number;
    events.push(...eventsOf(cutter.push(bytes.subarray(at, at + size))));
    at += size;
  }
  return [...events, ...eventsOf(cutter.end())];
};
const fieldsOf = (events: readonly string[]) => events.map(readEvent).filter(({ data }) => data !== undefined);

test(verifies('L3:utf8-boundaries', 'events are cut out whole, wherever their bytes were cut and however their lines end'), () => {
  const data = fc.stringMatching(/^[^\r\n\uFEFF]*$/).filter((text) => Buffer.from(text).toString() === text);
  fc.assert(
    fc.property(
      fc.array(data),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      (texts, line, sizes) => {
        const whole = texts.map((text) => `event: e${line}data: ${text}${line}${line}`).join('');
        expect(fieldsOf(cut(whole, sizes[Symbol.iterator]()))).toEqual(texts.map((data) => ({ event: 'e', data })));
      },
    ),
    { numRuns: 200 },
  );
});

test('bytes are given once, and an event that lacks its end at the end of the stream is given too', () => {
  const cutter = new EventCutter();
  expect(eventsOf(cutter.push(Buffer.from('data: 1\n\ndata: 2\n\nda')))).toEqual(['data: 1\n\n', 'data: 2\n\n']);
  expect(eventsOf(cutter.push(Buffer.from('ta: 3')))).toEqual([]);
  expect(eventsOf(cutter.end())).toEqual(['data: 3\n\n']);
  expect(eventsOf(new EventCutter().end())).toEqual([]);
});

test('data of several lines is one text; a comment has none', () => {
  expect(readEvent('\uFEFFdata:a\ndata:  b\nid: 7\n\n')).toEqual({ data: 'a\n b' });
  expect(readEvent(': ping\n\n')).toEqual({});
});

test('an event without end is an interrupted stream', () => {
  const cutter = new EventCutter();
  const much = Buffer.alloc(8 * 1024 * 1024, 'x');
  const flood = () => {
    for (let i = 0; i < 5; i++) cutter.push(much);
  };
  expect(flood).toThrow(expect.objectContaining({ code: 'stream_interrupted' }));
});
