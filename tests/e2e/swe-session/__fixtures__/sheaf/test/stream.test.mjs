import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, parseStream } from '../src/index.mjs';

const TEXT = 'name,says\r\nAda,"she said ""yes"""\r\nBob,"one\r\ntwo"\r\n"Eve ""E""",""\r\n';

const streamed = async (chunks, options) => {
  const records = [];
  for await (const record of parseStream(chunks, options)) records.push(record);
  return records;
};

test('in one chunk', async () => assert.deepEqual(await streamed([TEXT]), parse(TEXT)));
test('bytes, cut inside a character', async () => {
  const bytes = Buffer.from('a\n한국어\n');
  assert.deepEqual(await streamed([bytes.subarray(0, 4), bytes.subarray(4)]), [{ a: '한국어' }]);
});
test('every way to cut the text in two comes to the same', async () => {
  for (let at = 0; at <= TEXT.length; at += 1) {
    assert.deepEqual(await streamed([TEXT.slice(0, at), TEXT.slice(at)]), parse(TEXT), `cut at ${at}`);
  }
});
test('one character at a time', async () => assert.deepEqual(await streamed([...TEXT]), parse(TEXT)));
test('a quote that is the last character of the last chunk closes the field', async () => {
  assert.deepEqual(await streamed(['a\n"b', '"']), [{ a: 'b' }]);
});
test('a quote that opens in the last chunk is unclosed', async () => {
  await assert.rejects(streamed(['a\n', '"b']), { code: 'UNCLOSED_QUOTE' });
});
