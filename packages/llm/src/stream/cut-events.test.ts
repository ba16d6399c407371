import { expect, test, vi } from 'vitest';
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

test('an event ends with the byte that completes its empty line, however its lines end and wherever it is cut', () => {
  const lines = ['\n', '\r\n', '\r'];
  for (const ending of lines.flatMap((first) => lines.map((second) => first + second)).filter((text) => text !== '\r\n')) {
    const bytes = Buffer.from(`data: 1${ending}data: 2\n\n`);
    for (let first = 1; first < bytes.length; first++) {
      for (let second = first; second < bytes.length; second++) {
        const cutter = new EventCutter();
        const given = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)].map((piece) => [
          ...eventsOf(cutter.push(piece)),
        ]);
        expect(given.flat()).toEqual([`data: 1${ending}`, 'data: 2\n\n']);
        const cameWhole = second > 'data: 1'.length + ending.length; // a byte of the next event is there, too
        if (cameWhole) expect(given.slice(0, 2).flat()).toEqual([`data: 1${ending}`]);
      }
    }
  }
});

test.each(['\n', '\r\n', '\r'])('an endless event in small pieces costs what it is long, with lines that end in %j', (ending) => {
  const piece = Buffer.from(`data: ${'x'.repeat(50)}${ending}`);
  const pieces = 2_000;
  const cutter = new EventCutter();
  const searched = vi.spyOn(Buffer.prototype, 'toString');
  const joined = vi.spyOn(Buffer, 'concat');
  const allocated = vi.spyOn(Buffer, 'allocUnsafe');
  try {
    for (let i = 0; i < pieces; i++) cutter.push(piece);
    const work =
      searched.mock.results.reduce((sum, { value }) => sum + (value as string).length, 0) +
      joined.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0) +
      allocated.mock.calls.reduce((sum, [size]) => sum + size, 0);
    expect(work).toBeLessThan(8 * pieces * piece.length);
  } finally {
    vi.restoreAllMocks();
  }
  expect(cutter.end().bytes.length).toBe(pieces * piece.length + 2);
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
