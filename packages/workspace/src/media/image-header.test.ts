import { expect, test } from 'vitest';
import fc from 'fast-check';
import { readMediaHeader } from './image-header.js';

const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex');
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

test.each([
  ['image/png', PNG, 1, 1],
  ['image/png', hex('89504e470d0a1a0a 0000000d 49484452 00000280 000001e0 08'), 640, 480],
  ['image/gif', hex('474946383961 2c01 c800 00'), 300, 200],
  ['image/jpeg', hex('ffd8 ffe0 0010 4a46494600010100000100010000 ff ffc2 0011 08 01e0 0280 03'), 640, 480],
  ['image/jpeg', hex('ffd8ff'), undefined, undefined],
  ['image/webp', hex('52494646 00000000 57454250 56503820 00000000 300100 9d012a 8002 e001'), 640, 480],
  ['image/webp', hex('52494646 00000000 57454250 5650384c 00000000 2f 7fc27700 0000000000000000'), 640, 480],
  ['image/webp', hex('52494646 00000000 57454250 56503858 00000000 00000000 7f0200 df0100'), 640, 480],
  ['application/pdf', Buffer.from('%PDF-1.7\n'), undefined, undefined],
])('%s says how large it is', (mediaType, bytes, width, height) => {
  expect(readMediaHeader(bytes)).toEqual({ mediaType, width, height });
});

test('whatever stands in a file, it is looked at in no time and nothing is thrown', () => {
  const begins = ['89504e470d0a1a0a', 'ffd8ff', '474946383961', '52494646000000005745425056503858', '25504446', ''].map(hex);
  fc.assert(
    fc.property(fc.constantFrom(...begins), fc.uint8Array({ maxLength: 64 }), (begin, rest) => {
      expect(() => readMediaHeader(Buffer.concat([begin, rest]))).not.toThrow();
    }),
    { numRuns: 3_000 },
  );
  expect(readMediaHeader(Buffer.concat([hex('ffd8'), Buffer.alloc(3_000_000, hex('ffe00002'))]))).toMatchObject({
    mediaType: 'image/jpeg',
  });
});
