import { expect, test } from 'vitest';
import { sessionRef } from '@codelab/bus';
import { verifies } from '@codelab/testkit';
import { presentItem } from './present-item.js';
import { imagesOf, readImages } from './result-images.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';
const image = { media_type: 'image/png', data: PIXEL };
const result = (callId: string, fields: object): string =>
  JSON.stringify({ role: 'tool', turn_id: 't', call_id: callId, tool_name: 'kernel.execute', is_error: false, ...fields, at_ms: 1 });
const INSIDE = JSON.stringify({
  outputs: [
    { type: 'stdout', text: 'drawn' },
    { type: 'image/png', data: PIXEL, width: 1, height: 1 },
  ],
});

test(
  verifies('L3:images-named', 'the conversation names the pictures of a result, wherever they stand in it, and has no bytes of them'),
  () => {
    for (const stored of [result('c', { content: 'drawn', images: [image] }), result('c', { content: INSIDE })]) {
      const shown = presentItem(stored);
      expect(shown).not.toContain(PIXEL);
      expect(JSON.parse(shown)).toMatchObject({ images: [{ media_type: 'image/png', bytes: 68 }] });
      expect((JSON.parse(shown) as { content: string }).content).toContain('drawn');
    }
    const inside = JSON.parse((JSON.parse(presentItem(result('c', { content: INSIDE }))) as { content: string }).content) as object;
    expect(inside).toMatchObject({ outputs: [{ text: 'drawn' }, { data: '(a picture of 68 bytes)', width: 1 }] });
  },
);

test('a result without pictures stays as it is, to the byte', () => {
  for (const content of ['plain', '{"data":"text"}', '{"data":', '{"images":[{"data":"x"}]}']) {
    const text = `${result('c', { content })} `;
    expect(presentItem(text)).toBe(text);
  }
});

test.each([
  ['a document that can run', { media_type: 'image/svg+xml', data: 'PHN2Zz48c2NyaXB0Lz48L3N2Zz4=' }],
  ['a page that says it is a picture', { media_type: 'image/png', data: 'PCFkb2N0eXBlIGh0bWw+' }],
  ['a picture of another type', { media_type: 'image/jpeg', data: PIXEL }],
  ['no base64', { media_type: 'image/png', data: `${PIXEL}"><script>` }],
  ['nothing', null],
])(verifies('H3:images-hostile', 'what is no picture of a type that is shown is none: %s'), (_, hostile) => {
  expect(imagesOf({ content: '', images: [hostile, image] })).toEqual([image]);
});

const store = (items: readonly string[]) => ({
  readMeta: () => Promise.resolve({ historyVersion: items.length } as never),
  readHistory: (_: unknown, { from, limit }: { from: number; limit: number }) =>
    Promise.resolve({ items: items.slice(from, from + limit), total: items.length }),
});
const session = sessionRef({ tenant: 'a', sub: 'b' }, 's');
const said = Array.from({ length: 60 }, (_, at) =>
  JSON.stringify({ role: 'assistant', content: `"call_id":"old" ${String(at)}`, tool_calls: [] }),
);

test('the pictures of a call are found by its id from the end, as many as one answer carries', async () => {
  const items = [result('old', { content: '', images: [image] }), ...said, result('new', { content: 'none' })];
  expect(await readImages(store(items), session, 'old')).toEqual([image]);
  expect(await readImages(store(items), session, 'new')).toEqual([]);
  expect(await readImages(store(items), session, 'other')).toBeUndefined();
  const large = { media_type: 'image/png', data: PIXEL.slice(0, -4).padEnd(5 * 1024 * 1024, 'A') };
  expect(await readImages(store([result('c', { content: '', images: [large, large] })]), session, 'c')).toHaveLength(1);
  expect(await readImages(store([result('c', { content: '', images: Array(20).fill(image) })]), session, 'c')).toHaveLength(10);
});
