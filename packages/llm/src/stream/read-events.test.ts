import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { readEvents } from './read-events.js';

const TEXT = ': comment\r\ndata: {"a":"한글 🙂"}\r\n\r\nevent: error\ndata: one\ndata: two\n\ndata: last';

async function* cutAt(text: string, ...places: number[]): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (const [i, place] of [0, ...places].entries()) yield bytes.subarray(place, places[i] ?? bytes.length);
}

async function read(bytes: AsyncIterable<Uint8Array>) {
  const events = [];
  for await (const some of readEvents(bytes)) events.push(...some);
  return events;
}

test(verifies('L3:utf8-boundaries', 'events come out whole wherever the bytes are cut, characters and line ends included'), async () => {
  const whole = await read(cutAt(TEXT));
  expect(whole).toEqual([{ data: '{"a":"한글 🙂"}' }, { event: 'error', data: 'one\ntwo' }, { data: 'last' }]);
  const length = new TextEncoder().encode(TEXT).length;
  for (let place = 1; place < length; place++) expect(await read(cutAt(TEXT, place))).toEqual(whole);
  expect(await read(cutAt(TEXT, ...Array.from({ length: length - 1 }, (_, i) => i + 1)))).toEqual(whole);
});

test('a byte order mark is not part of the first event', async () => {
  expect(await read(cutAt('\uFEFFdata: x\n\n'))).toEqual([{ data: 'x' }]);
});

test('an endless line is refused instead of kept', async () => {
  async function* endless() {
    const chunk = new TextEncoder().encode('x'.repeat(1024 * 1024));
    yield new TextEncoder().encode('data: ');
    for (;;) yield chunk;
  }
  await expect(read(endless())).rejects.toMatchObject({ code: 'stream_interrupted' });
});
